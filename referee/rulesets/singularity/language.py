"""The order language of The Singularity Trap: its grammar, and how an order is written."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from referee.rules.ruleset import Example, Grammar, Separator
from referee.rulesets.singularity.orders import (
    Build,
    Declare,
    FireArmed,
    FireAtShip,
    FireWeakest,
    FirstPlayers,
    FirstTypes,
    Hide,
    Jump,
    Move,
    Order,
    Place,
    Repair,
    Resign,
    Scrap,
    Segment,
    SetAlliance,
    Slipstream,
    Terraform,
    Vector,
    Warp,
)

_UP: Final = {"+": 1, "=": 0, "-": -1}
_SIGNS: Final = {up: sign for sign, up in _UP.items()}


def _tuple(*parts: Any) -> tuple[Any, ...]:
    return parts


def _vector(text: str) -> Vector:
    return Vector(int(text[0]), _UP[text[1]])


def _repair_units(ship: int, *units: str) -> Repair:
    return Repair(ship, units="".join(units))


def _build(planet: int, *parts: tuple[int, str]) -> Build:
    return Build(planet, parts)


def _move(ship: int, *segments: Segment) -> Move:
    return Move(ship, segments)


def _place(text: str) -> Place:
    return Place(int(text[:-1]), text[-1].upper())


def _parted(parts: Sequence[Any]) -> tuple[Place | None, tuple[Any, ...]]:
    """Return the space that an order may begin with, and the rest, each part once."""
    place = parts[0] if parts and isinstance(parts[0], Place) else None
    return place, tuple(dict.fromkeys(part for part in parts if part is not place))


def _first_players(*parts: Any) -> FirstPlayers:
    place, players = _parted(parts)
    return FirstPlayers(players, place)


def _first_types(*parts: Any) -> FirstTypes:
    place, types = _parted(parts)
    return FirstTypes(types, place)


def _terraformers_first(*parts: Any) -> FirstTypes:
    place, types = _parted(parts)
    return FirstTypes(tuple(dict.fromkeys(("T", *types))), place)


def _fire_at_ship(ship: int, *targets: int) -> FireAtShip:
    return FireAtShip(ship, targets)


def _set_alliance(player: int, answer: str) -> SetAlliance:
    return SetAlliance(player, answer == "Y")


def _faction(*members: int) -> Declare:
    return Declare(members)


def _empire(*members: int) -> Declare:
    return Declare(members, empire=True)


BUILDERS: Final[dict[str, Callable[..., Any]]] = {
    "scrap": Scrap,
    "repair_points": Repair,
    "repair_units": _repair_units,
    "hide": Hide,
    "build": _build,
    "part": _tuple,
    "move": _move,
    "slip": Slipstream,
    "warp": Warp,
    "jump": Jump,
    "first_players": _first_players,
    "first_types": _first_types,
    "terraformers_first": _terraformers_first,
    "fire_armed": FireArmed,
    "fire_weakest": FireWeakest,
    "fire_at_ship": _fire_at_ship,
    "terraform": Terraform,
    "set_alliance": _set_alliance,
    "declare_faction": _faction,
    "declare_empire": _empire,
    "resign": Resign,
}

EXAMPLES: Final = (
    Example("S17", "what shall the ship do? S17W2= would warp it one space to the east."),
    Example("S17W2", "up, level or down? S17W2+ goes up, S17W2= stays level, S17W2- goes down."),
    Example("S17V2+", "how far? S17V2+3 slips three spaces."),
    Example("S17R", "what? S17R3 repairs three points, S17RSWD system, weapon and drive."),
    Example("S17K", "at which ship? S17KS40 fires at ship 40."),
    Example("12D", "what is to be done there? 12DKW fires at the weakest ships in the space 12D."),
    Example(
        "K", "at whom first? KP3 at player 3, KB,C at types, KT at armed ships, KW the weakest."
    ),
    Example("W12", "what shall the planet do? W12B2F builds two fighters."),
    Example("W12B", "what shall it build? W12B2F builds two fighters."),
    Example("W12BF", "how many? W12B2F builds two fighters."),
    Example("W12T", "which colour? W12TB makes it blue where there is a choice."),
    Example("L3", "yes or no? L3Y asks for an alliance with player 3, L3N ends it."),
    Example("FAC", "with whom? FAC3 declares a faction with player 3."),
    Example("EMP3", "an empire has two allies. EMP3,5 declares one over players 3 and 5."),
)

GRAMMAR: Final = Grammar(
    source="singularity.lark",
    orders=BUILDERS,
    terminals={
        "NUMBER": int,
        "SHIP": lambda text: int(text[1:]),
        "PLANET": lambda text: int(text[1:]),
        "PLACE": _place,
        "PLAYER": lambda text: int(text[1:]),
        "VECTOR": _vector,
        "UNIT": str.upper,
        "TYPE": str.upper,
        "COLOUR": str.upper,
        "ANSWER": str.upper,
    },
    examples=EXAMPLES,
    separator=Separator.SPACES,
)


def render(order: Order) -> str:  # noqa: C901 - a table of forms
    """Return the canonical text of *order*; reading it gives the order back."""
    match order:
        case Scrap(ship):
            return f"S{ship}X"
        case Repair(ship, points, units):
            return f"S{ship}R{units or points}"
        case Hide(ship):
            return f"S{ship}H"
        case Build(planet, ships):
            return f"W{planet}B" + "".join(f"{number}{kind}" for number, kind in ships)
        case Move(ship, segments):
            return f"S{ship}" + "".join(map(_segment, segments))
        case FirstPlayers(players, place):
            return f"{_at(place)}K" + ",".join(f"P{player}" for player in players)
        case FirstTypes(types, place):
            # A lone T would be KT, armed ships first.
            return f"{_at(place)}K" + ",".join(types if types != ("T",) else ("T", "T"))
        case FireArmed(place):
            return f"{_at(place)}KT"
        case FireWeakest(place):
            return f"{_at(place)}KW"
        case FireAtShip(ship, targets):
            return f"S{ship}K" + ",".join(f"S{target}" for target in targets)
        case Terraform(planet, colour):
            return f"W{planet}T{colour}"
        case SetAlliance(player, yes):
            return f"L{player}{'Y' if yes else 'N'}"
        case Declare(members, empire):
            return ("EMP" if empire else "FAC") + ",".join(map(str, members))
        case Resign():
            return "Q"
    raise TypeError(f"{order!r} is no order of The Singularity Trap")


def _at(place: Place | None) -> str:
    return "" if place is None else f"{place.column}{place.level}"


def _segment(segment: Segment) -> str:
    match segment:
        case Slipstream(vector, steps):
            return f"V{_written(vector)}{steps}"
        case Warp(vector):
            return f"W{_written(vector)}"
        case Jump():
            return "J"


def _written(vector: Vector) -> str:
    return f"{vector.direction}{_SIGNS[vector.up]}"
