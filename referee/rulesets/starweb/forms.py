"""The orders of StarWeb as forms that a player fills in on a map (s7 to s26)."""

from typing import Final

from referee.rules.order_forms import OrderForm, Target
from referee.rules.views import UnitKind

_KEY, _HOME, _ARTIFACT = UnitKind.FLEET, UnitKind.GARRISON, UnitKind.TREASURE
_SHIPS: Final = ("I as I-Ships", "P as P-Ships")
_FIRE: Final = ("A always", "C if fired at")
_AIMS: Final = (
    "AI at I-Ships, then industry",
    "AP at P-Ships, then people",
    "AH at home fleets",
    "CI at I-Ships if fired at",
    "CP at P-Ships if fired at",
    "CH at home fleets if fired at",
)

FORMS: Final = (
    OrderForm("Move", "{key}{path}", _KEY, Target.PLACE),
    OrderForm("Give ships to a fleet", "{key}T{amount}{target}", _KEY, Target.UNIT, aims=("F",)),
    OrderForm("Leave ships at the world", "{key}T{amount}{choice}", _KEY, choices=_SHIPS),
    OrderForm("Load metal", "{key}L", _KEY),
    OrderForm("Unload metal", "{key}U", _KEY),
    OrderForm("Unload as consumer goods", "{key}N", _KEY),
    OrderForm("Jettison metal", "{key}J", _KEY),
    OrderForm("Probe", "{key}P{target_number}", _KEY, Target.PLACE),
    OrderForm(
        "Fire at a fleet", "{key}{choice}{target}", _KEY, Target.UNIT, aims=("F",), choices=_FIRE
    ),
    OrderForm("Fire at the world", "{key}{choice}", _KEY, choices=_AIMS),
    OrderForm("Go at peace", "{key}Q", _KEY),
    OrderForm("End peace", "{key}X", _KEY),
    OrderForm("Give away", "{key}G={owner}", _KEY, Target.OWNER),
    OrderForm("Build a bomb", "{key}B", _KEY),
    OrderForm("Drop the bomb", "{key}D", _KEY),
    OrderForm("Attack with robots", "{key}R{amount}", _KEY),
    OrderForm(
        "Give ships to a fleet", "{key}T{amount}{target}", _HOME, Target.UNIT, aims=("F",)
    ),
    OrderForm("Turn into P-Ships", "{key}T{amount}P", _HOME, prefix="I"),
    OrderForm("Turn into I-Ships", "{key}T{amount}I", _HOME, prefix="P"),
    OrderForm("Probe", "{key}P{target_number}", _HOME, Target.PLACE),
    OrderForm(
        "Fire at a fleet", "{key}{choice}{target}", _HOME, Target.UNIT, aims=("F",), choices=_FIRE
    ),
    OrderForm("Fire at the converts", "{key}{choice}C", _HOME, choices=_FIRE),
    OrderForm("Hook to a fleet", "{key}{target}", _ARTIFACT, Target.UNIT, aims=("F",)),
    OrderForm("Drop", "{key}W", _ARTIFACT),
    OrderForm(
        "Build", "{key}B{amount}{choice}", choices=(*_SHIPS, "R robots")
    ),
    OrderForm("Build on a fleet", "{key}B{amount}{target}", target=Target.UNIT, aims=("F",)),
    OrderForm("Build industry", "{key}I{amount}I"),
    OrderForm("Raise the limit", "{key}I{amount}L"),
    OrderForm("Scrap I-Ships", "{key}S{amount}"),
    OrderForm("Migrate people", "P{number}M{amount}{target}", target=Target.PLACE),
    OrderForm("Migrate converts", "C{number}M{amount}{target}", target=Target.PLACE, own=False),
    OrderForm("Plunder", "{key}X"),
    OrderForm("Give away", "{key}G={owner}", target=Target.OWNER),
    OrderForm("Ambush nobody", "Z{number}"),
)  # fmt: skip
"""What a player can order by pointing: not the orders about other players, nor signs."""
