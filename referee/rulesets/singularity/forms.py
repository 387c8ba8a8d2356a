"""The orders of The Singularity Trap as forms that a player fills in on a map."""

from typing import Final

from referee.rules.order_forms import OrderForm, Target
from referee.rules.views import UnitKind

_SHIP: Final = UnitKind.SHIP
_A: Final = ("turn", "plan", "economic")
_B: Final = ("turn", "plan", "movement")
_C: Final = ("turn", "settle", "combat")
_D: Final = ("turn", "settle", "ecopolitical")
_TYPES: Final = (
    "F fighters", "S scouts", "R raiders", "J jumpers", "T terraformers", "C cruisers",
    "B basestars",
)  # fmt: skip
_COLOURS: Final = ("R red", "O orange", "Y yellow", "G green", "B blue", "V violet")
_WARP: Final = "W{direction}{level}"

FORMS: Final = (
    OrderForm("Move by warps", "{key}{steps}", _SHIP, Target.PLACE, step=_WARP, phases=_B),
    OrderForm("Jump", "{key}J", _SHIP, phases=_B),
    OrderForm("Stay, with drives on", "{key}W0=", _SHIP, phases=_B),
    OrderForm("Hide", "{key}H", _SHIP, phases=_A),
    OrderForm("Repair points", "{key}R{amount}", _SHIP, phases=_A),
    OrderForm("Scrap", "{key}X", _SHIP, phases=_A),
    OrderForm("Fire at a ship", "{key}K{target}", _SHIP, Target.UNIT, aims=("S",), phases=_C),
    OrderForm("Build", "{key}B{amount}{choice}", prefix="W", choices=_TYPES, phases=_A),
    OrderForm("Choose the colour", "{key}T{choice}", prefix="W", choices=_COLOURS, phases=_D),
)  # fmt: skip
"""The orders that a player can compose on the map: none about other players."""
