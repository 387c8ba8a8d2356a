"""The orders of Star Empires as forms that a player fills in on a map."""

from typing import Final

from referee.rules.order_forms import OrderForm, Target
from referee.rules.views import UnitKind

_SHIP, _BASE = UnitKind.SHIP, UnitKind.BASE

FORMS: Final = (
    OrderForm("Move", "MOVE {key} TO {target}", _SHIP, Target.PLACE),
    OrderForm("Go through a portal", "TRAVERSE {key} THROUGH {target}", _SHIP, Target.PLACE),
    OrderForm("Load onto a carrier", "LOAD {key} ONTO {target}", _SHIP, Target.UNIT),
    OrderForm("Take off its carrier", "UNLOAD {key}", _SHIP),
    OrderForm("Use the device", "DEPLOY {key}", _SHIP),
    OrderForm("Blow up", "DESTRUCT {key}", _SHIP),
    *(
        form
        for kind in (_SHIP, _BASE)
        for form in (
            OrderForm("Fire", "FIRE {key} AT {owner}", kind, Target.OWNER),
            OrderForm("Repair, paid by a world", "REPAIR {key} max {target}", kind, Target.PLACE),
            OrderForm("Identify to an empire", "IDENTIFY {key} TO {owner}", kind, Target.OWNER),
            OrderForm("Conceal from an empire", "CONCEAL {key} FROM {owner}", kind, Target.OWNER),
            OrderForm("Switch transponder", "TOGGLE {choice} {key}", kind,
                      choices=("public", "private")),
        )
    ),
    OrderForm("Build ships", "BUILD {key} {amount} {word}",
              asks="Class, as in your designs: probe"),
    OrderForm("Send RU to a world of yours", "TRANSFER {key} {amount} {target}",
              target=Target.PLACE),
    OrderForm("Collect all RU here", "POOL {key}"),
)  # fmt: skip
"""The orders that a player can compose on the map: none of designs, alliances or a whole empire."""
