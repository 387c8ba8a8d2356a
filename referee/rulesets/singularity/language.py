"""The order language of The Singularity Trap: grammar, the text and meaning of orders, forms."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from referee.rules.order_forms import OrderForm, Target
from referee.rules.ruleset import Example, Grammar, Seat, Separator
from referee.rules.views import UnitKind
from referee.rules.wording import listed
from referee.rulesets.singularity.board import COLOURS
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
from referee.rulesets.singularity.state import State
from referee.rulesets.singularity.units import NAMES, UNITS

_UP: Final = {"+": 1, "=": 0, "-": -1}
_SIGNS: Final = {up: sign for sign, up in _UP.items()}


def _tuple(*parts: Any) -> tuple[Any, ...]:
    return parts


def _split_place(parts: Sequence[Any]) -> tuple[Place | None, tuple[Any, ...]]:
    """Return the space at the beginning, if there is one, and the rest, each part once."""
    place = parts[0] if parts and isinstance(parts[0], Place) else None
    return place, tuple(dict.fromkeys(part for part in parts if part is not place))


def _first_players(*parts: Any) -> FirstPlayers:
    place, players = _split_place(parts)
    return FirstPlayers(players, place)


def _first_types(*parts: Any) -> FirstTypes:
    place, types = _split_place(parts)
    return FirstTypes(types, place)


def _terraformers_first(*parts: Any) -> FirstTypes:
    place, types = _split_place(parts)
    return FirstTypes(tuple(dict.fromkeys(("T", *types))), place)


BUILDERS: Final[dict[str, Callable[..., Any]]] = {
    "scrap": Scrap,
    "repair_points": Repair,
    "repair_units": lambda ship, *units: Repair(ship, units="".join(units)),
    "hide": Hide,
    "build": lambda planet, *parts: Build(planet, parts),
    "part": _tuple,
    "move": lambda ship, *segments: Move(ship, segments),
    "slip": Slipstream,
    "warp": Warp,
    "jump": Jump,
    "first_players": _first_players,
    "first_types": _first_types,
    "terraformers_first": _terraformers_first,
    "fire_armed": FireArmed,
    "fire_weakest": FireWeakest,
    "fire_at_ship": lambda ship, *targets: FireAtShip(ship, targets),
    "terraform": Terraform,
    "set_alliance": lambda player, answer: SetAlliance(player, answer == "Y"),
    "declare_faction": lambda *members: Declare(members),
    "declare_empire": lambda *members: Declare(members, empire=True),
    "resign": Resign,
}

EXAMPLES: Final = (
    Example("S17", "Expected an action after the ship. S17W2= warps it one space to the east."),
    Example(
        "S17W2",
        "Expected a direction from 0 to 6 with +, = or - after W. S17W2= warps east, S17W2+ east "
        "and up.",
    ),
    Example(
        "S17V2",
        "Expected a direction from 0 to 6 with +, = or - after V. S17V2=3 slips three spaces east.",
    ),
    Example("S17V2+", "Expected a distance after the vector. S17V2+3 slips three spaces."),
    Example(
        "S17R", "Expected a number or units after R. S17R3 repairs three units, S17RS the system."
    ),
    Example("S17K", "Expected a ship after K. S17KS40 fires at ship 40."),
    Example(
        "12D", "Expected K after the space. 12DKW fires at the weakest ships in the space 12D."
    ),
    Example(
        "K",
        "Expected targets after K. KP3 is player 3, KB,C types, KT armed ships, KW the weakest.",
    ),
    Example("W12", "Expected B or T after the planet. W12B2F builds two fighters."),
    Example("W12B", "Expected a number and a type of ship after B. W12B2F builds two fighters."),
    Example("W12BF", "Expected a number before the type of ship. W12B2F builds two fighters."),
    Example("W12T", "Expected a colour after T. W12TB chooses blue."),
    Example(
        "L3", "Expected Y or N after the player. L3Y asks player 3 for an alliance, L3N ends it."
    ),
    Example("FAC", "Expected a player number after FAC. FAC3 declares a faction with player 3."),
    Example(
        "EMP3", "Expected two player numbers after EMP. EMP3,5 declares an empire over 3 and 5."
    ),
)

HINTS: Final = {
    "ALLY": "L3Y asks player 3 for an alliance.",
    "ATTACK": "S17KS40 fires at ship 40, KP3 at player 3 first.",
    "BUILD": "W12B2F builds two fighters at planet 12.",
    "EXPLORE": "S17W2= warps ship 17 one space to the east.",
    "FIRE": "S17KS40 fires at ship 40, KP3 at player 3 first.",
    "HIDE": "S17H hides ship 17.",
    "JUMP": "S17J jumps with ship 17.",
    "MOVE": "S17W2= warps ship 17 one space to the east.",
    "REPAIR": "S17R3 repairs three units of ship 17, S17RS the system.",
    "SCRAP": "S17X scraps ship 17.",
    "WARP": "S17W2= warps ship 17 one space to the east.",
}
"""Words that players type instead of an order, each with one that it may mean."""

GRAMMAR: Final = Grammar(
    source="singularity.lark",
    orders=BUILDERS,
    terminals={
        "NUMBER": int,
        "SHIP": lambda text: int(text[1:]),
        "PLANET": lambda text: int(text[1:]),
        "PLACE": lambda text: Place(int(text[:-1]), text[-1].upper()),
        "PLAYER": lambda text: int(text[1:]),
        "VECTOR": lambda text: Vector(int(text[0]), _UP[text[1]]),
        "UNIT": str.upper,
        "TYPE": str.upper,
        "COLOUR": str.upper,
        "ANSWER": str.upper,
    },
    examples=EXAMPLES,
    hints=HINTS,
    separator=Separator.SPACES,
    leaving=frozenset({"resign"}),
)


def render(order: Order) -> str:  # noqa: C901 - a table of forms
    """Return the canonical text of *order*, which is read back as the same order."""
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
            return f"S{ship}" + "".join(map(written_segment, segments))
        case FirstPlayers(players, place):
            return f"{_at(place)}K" + ",".join(f"P{player}" for player in players)
        case FirstTypes(types, place):
            # KT means armed ships first, so terraformers are written twice.
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
    raise TypeError(f"{order!r} is not an order of The Singularity Trap")


def _at(place: Place | None) -> str:
    return "" if place is None else f"{place.column}{place.level}"


def written_segment(segment: Segment) -> str:
    """Return the text of one part of a way: ``W4=``."""
    match segment:
        case Slipstream(vector, steps):
            return f"V{_written(vector)}{steps}"
        case Warp(vector):
            return f"W{_written(vector)}"
        case Jump():
            return "J"


def _written(vector: Vector) -> str:
    return f"{vector.direction}{_SIGNS[vector.up]}"


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


_DIRECTIONS: Final = ("", "north-east", "east", "south-east", "south-west", "west", "north-west")
_UP_WORDS: Final = {1: "up", 0: "", -1: "down"}


def explain(state: State, seat: Seat, order: Order) -> str:  # noqa: C901 - a table of sentences
    """Return the meaning of *order* in one line. Uses only the player names of the state."""
    names = {other: player.name for other, player in state.players.items()}
    names.setdefault(seat, "you")

    def players(numbers: Iterable[int]) -> str:
        return listed(names.get(Seat(number), f"player {number}") for number in numbers)

    match order:
        case Scrap(ship):
            return f"S{ship} is scrapped."
        case Repair(ship, points, units):
            what = listed(UNITS[unit] for unit in units) if units else f"{points} points of damage"
            return f"Repair {what} of S{ship}."
        case Hide(ship):
            return f"S{ship} goes dark."
        case Build(planet, ships):
            parts = (f"{number} {NAMES[kind]}{'s' * (number > 1)}" for number, kind in ships)
            return f"W{planet} builds {listed(parts)}."
        case Move(ship, segments):
            return f"S{ship} moves: {', then '.join(map(_segment, segments))}."
        case FirstPlayers(numbers, place):
            return f"Your ships{_where(place)} fire first at {players(numbers)}."
        case FirstTypes(types, place):
            kinds = listed(f"{NAMES[each]}s" for each in types)
            return f"Your ships{_where(place)} fire first at {kinds}."
        case FireArmed(place):
            return f"Your ships{_where(place)} fire at armed ships first."
        case FireWeakest(place):
            return f"Your ships{_where(place)} fire at the weakest ships first."
        case FireAtShip(ship, (at,)):
            return f"S{ship} fires at S{at} while it is there."
        case FireAtShip(ship, targets):
            each = ", then ".join(f"S{target}" for target in targets)
            return f"S{ship} fires its shots in turn at {each}, while they are there."
        case Terraform(planet, colour):
            return f"If it has a choice, W{planet} becomes {COLOURS.get(colour, colour)}."
        case SetAlliance(player, yes):
            return f"You {'want' if yes else 'do not want'} {players([player])} as your ally."
        case Declare(members, empire):
            what = "an empire over" if empire else "a faction with"
            return f"You declare {what} {players(members)} when the next turn begins."
        case Resign():
            return f"You leave the war for good: {state.left_behind}."
    raise TypeError(f"{order!r} is not an order of The Singularity Trap")


def _where(place: Place | None) -> str:
    return "" if place is None else f" at {place.column}{place.level}"


def _segment(segment: Segment) -> str:
    match segment:
        case Slipstream(vector, steps):
            return f"slip {steps} {_direction(vector)}"
        case Warp(vector):
            return f"warp {_direction(vector)}"
        case Jump():
            return "jump"


def _direction(vector: Vector) -> str:
    parts = (_DIRECTIONS[vector.direction], _UP_WORDS[vector.up])
    return " and ".join(part for part in parts if part) or "in place"
