"""The orders of Starfarers as forms that a player fills in on a map."""

from typing import Final

from referee.rules.order_forms import OrderForm, Target
from referee.rules.views import UnitKind

_SHIP, _HIRED, _BASE = UnitKind.SHIP, UnitKind.MERCENARY, UnitKind.BASE
_TRAVEL: Final = ("turn", "travel")
_BUILD: Final = ("turn", "build")
_DIRECTIONS: Final = (
    "1 north-east", "2 east", "3 south-east", "4 south-west", "5 west", "6 north-west",
)  # fmt: skip
_KINDS: Final = ("T trade port", "C colony", "P spaceport")

FORMS: Final = (
    *(
        form
        for kind in (_SHIP, _HIRED)
        for form in (
            OrderForm("Travel", "{key}{path}", kind, Target.PLACE, phases=_TRAVEL),
            OrderForm("Explore", "{key}E{choice}", kind, choices=_DIRECTIONS, phases=_TRAVEL),
            OrderForm("Teleport to a hex", "{key}J{target}", kind, Target.PLACE, phases=_TRAVEL),
            OrderForm("Attack a ship or a base", "{key}A{target}", kind, Target.UNIT,
                      aims=("S", "B"), phases=_TRAVEL),
            OrderForm("Attack pirates or aliens", "{key}A{target}", kind, Target.PLACE,
                      phases=_TRAVEL),
            OrderForm("Take a base if it wins", "{key}WB", kind, phases=_TRAVEL),
            OrderForm("Destroy a ship if it wins", "{key}WS", kind, phases=_TRAVEL),
            OrderForm("Support no other ships", "{key}N", kind, phases=_TRAVEL),
            OrderForm("Stop before enemies", "{key}Q", kind, phases=_TRAVEL),
            OrderForm("Accept an encounter", "{key}Y", kind, phases=_TRAVEL),
            OrderForm("Refuse an encounter", "{key}V", kind, phases=_TRAVEL),
        )
    ),
    OrderForm("Build a base", "{key}B{choice}", own=False, choices=_KINDS, phases=_BUILD),
    OrderForm("Build a teleport ring", "{key}R", _BASE, prefix="B", phases=_BUILD),
    OrderForm("Build a starship", "{key}BS", _BASE, phases=_BUILD),
)  # fmt: skip
"""What a player can order by pointing: not trade, nor the orders about other players."""
