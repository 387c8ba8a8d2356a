"""The orders of A Fistful of Planets as forms that a player fills in on a map."""

from typing import Final

from referee.rules.order_forms import OrderForm, Target
from referee.rules.views import UnitKind

_FLEET: Final = UnitKind.FLEET
_TURN: Final = ("orders",)
_SHIPS: Final = ("T transports", "S scouts", "C cruisers", "D dreadnoughts")

FORMS: Final = (
    OrderForm(
        "Make it your homeworld", "H{number}", own=False, phases=("homes",)
    ),
    OrderForm("Move", "{key}{target}", _FLEET, Target.PLACE, phases=_TURN),
    OrderForm("Withdraw if an enemy comes", "{key}X{target_number}", _FLEET, Target.PLACE,
              phases=_TURN),
    OrderForm("Defend", "{key}D", _FLEET, phases=_TURN),
    OrderForm("Look at a star", "{key}R{target_number}", _FLEET, Target.PLACE, phases=_TURN),
    OrderForm("Land a transport", "{key}L", _FLEET, phases=_TURN),
    OrderForm("Give ships to a fleet", "{key}T{amount}{choice}{target}", _FLEET, Target.UNIT,
              aims=("F",), choices=_SHIPS, phases=_TURN),
    OrderForm("Give all ships to a fleet", "{key}T*{target}", _FLEET, Target.UNIT, aims=("F",),
              phases=_TURN),
    OrderForm("Build in a fleet", "{key}B{amount}{choice}{word}", choices=_SHIPS,
              asks="Fleet, also a new one: FA", phases=_TURN),
    OrderForm("Fortify", "{key}F", phases=_TURN),
    OrderForm("Grow", "{key}G", phases=_TURN),
)  # fmt: skip
