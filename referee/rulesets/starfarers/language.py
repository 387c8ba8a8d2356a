"""The order language of Starfarers: its grammar and the text of orders."""

from collections.abc import Callable
from typing import Any, Final

from referee.rules.ruleset import Example, Grammar
from referee.rulesets.starfarers.goods import Goods, of
from referee.rulesets.starfarers.orders import (
    Attack,
    Avoid,
    Barter,
    BaseKind,
    BuildBase,
    BuildRing,
    BuildShip,
    EncounterAnswer,
    Enhance,
    Enhancement,
    Explore,
    Hire,
    Offer,
    Order,
    PortTrade,
    Resign,
    SetAlliance,
    SetStance,
    StandBack,
    Target,
    Teleport,
    Travel,
    Want,
)

_Place = tuple[Target, int]


def _place(text: str) -> _Place:
    return Target(text[0].upper()), int(text[1:])


def _number(place: _Place) -> int:
    return place[1]


def _tuple(*parts: Any) -> tuple[Any, ...]:
    return parts


def _hexes(*places: _Place) -> tuple[int, ...]:
    return tuple(map(_number, places))


def _goods(*cards: tuple[int, str]) -> Goods:
    return sum((of(letter, number) for number, letter in cards), Goods())


def _explore(ship: _Place, direction: int) -> Explore:
    return Explore(_number(ship), direction)


def _travel(ship: _Place, hexes: tuple[int, ...]) -> Travel:
    return Travel(_number(ship), hexes)


def _teleport(ship: _Place, to: _Place) -> Teleport:
    return Teleport(_number(ship), *to)


def _attack(ship: _Place, target: _Place) -> Attack:
    return Attack(_number(ship), *target)


def _enhance(*parts: tuple[int, str]) -> Enhance:
    return Enhance(tuple((number, Enhancement(letter)) for number, letter in parts))


BUILDERS: Final[dict[str, Callable[..., Any]]] = {
    "explore": _explore,
    "travel": _travel,
    "teleport": _teleport,
    "attack": _attack,
    "want_base": lambda ship: Want(_number(ship), base=True),
    "want_ship": lambda ship: Want(_number(ship), base=False),
    "stand_back": lambda ship: StandBack(_number(ship)),
    "avoid": lambda ship: Avoid(_number(ship)),
    "accept": lambda ship: EncounterAnswer(_number(ship), yes=True),
    "refuse": lambda ship: EncounterAnswer(_number(ship), yes=False),
    "pay": lambda ship, goods: EncounterAnswer(_number(ship), yes=True, payment=goods),
    "hire": lambda ship, number, goods: Hire(_number(ship), number, goods),
    "barter": lambda ship, give, take: Barter(_number(ship), give, take),
    "port_trade": lambda base, give, take: PortTrade(_number(base), give, take),
    "offer": Offer,
    "build_base": lambda place, kind: BuildBase(_number(place), kind),
    "build_orbital": lambda place, kind, corner: BuildBase(_number(place), kind, corner),
    "build_ring": lambda base: BuildRing(_number(base)),
    "build_ship": lambda place: BuildShip(*place),
    "enhance": _enhance,
    "enhancement": _tuple,
    "hostile": lambda player: SetStance(player, hostile=True),
    "peaceful": lambda player: SetStance(player, hostile=False),
    "ally": lambda player: SetAlliance(player, yes=True),
    "end_alliance": lambda player: SetAlliance(player, yes=False),
    "resign": Resign,
    "hexes": _hexes,
    "goods": _goods,
    "card": _tuple,
}

EXAMPLES: Final = (
    Example("S3", "Expected an action after the ship. S3E2 explores, S3H14 moves to hex 14."),
    Example("S3E", "Expected a direction from 1 to 6 after E. S3E2 explores to the east."),
    Example("S3J", "Expected a hex or mothership after J. S3JH40 jumps to hex 40, S3JM2 to M2."),
    Example(
        "S3A", "Expected a target after A. S3AB12 attacks base 12, S3AS9 ship 9, S3AH31 hex 31."
    ),
    Example("S3W", "Expected B or S after W. S3WB takes a base, S3WS destroys a ship."),
    Example("S3I", "Expected a number and cards after I. S3I1:2O1G hires one mercenary."),
    Example("S3I2", "Expected cards after the number. S3I2:3O3G pays six."),
    Example("S3T", "Expected cards after T. S3T2F>2C swaps two food for two carbon."),
    Example("S3T2F", "Expected > and the cards you want. S3T2F>2C swaps two food for two carbon."),
    Example("H14", "Expected B after the hex. H14BC builds a colony."),
    Example(
        "H14B",
        "Expected T, C or P after B. H14BT builds a trade port, H14BC a colony, H14BP a spaceport.",
    ),
    Example("B9", "Expected an action after the base. B9R builds a ring, B9BS a starship."),
    Example(
        "E", "Expected a number and an enhancement after E. E1B builds a booster, E2C two cannons."
    ),
    Example("P2", "Expected H, P, L or D after the player. P2H is hostile, P2P peaceful."),
    Example("X2", "Expected cards after the player. X2:2O>1U offers two ore for one fuel."),
)

HINTS: Final = {
    "ALLY": "P2L offers player 2 an alliance.",
    "ATTACK": "S3AB12 attacks base 12, S3AS9 ship 9, S3AH31 hex 31.",
    "BUILD": "H14BC builds a colony on hex 14, B9BS a starship at base 9.",
    "EXPLORE": "S3E2 explores to the east with ship 3.",
    "JUMP": "S3JH40 jumps to hex 40, S3JM2 to mothership 2.",
    "MOVE": "S3H14 moves ship 3 to hex 14.",
    "OFFER": "X2:2O>1U offers player 2 two ore for one fuel.",
    "TELEPORT": "S3JH40 jumps to hex 40, S3JM2 to mothership 2.",
    "TRADE": "X2:2O>1U offers player 2 two ore for one fuel.",
    "TRAVEL": "S3H14H17 moves ship 3 through hex 14 to hex 17.",
}
"""Words that players type instead of an order, each with one that it may mean."""

GRAMMAR: Final = Grammar(
    source="starfarers.lark",
    orders=BUILDERS,
    terminals={
        "NUMBER": int,
        "SHIP": _place,
        "BASE": _place,
        "HEX": _place,
        "MOTHERSHIP": _place,
        "PLAYER": lambda text: int(text[1:]),
        "DIRECTION": int,
        "RESOURCE": str.upper,
        "KIND": lambda text: BaseKind(text.upper()),
        "CORNER": str.lower,
        "PART": str.upper,
    },
    examples=EXAMPLES,
    leaving=frozenset({"resign"}),
    hints=HINTS,
)


def _swap(give: Goods, take: Goods) -> str:
    return f"{give}>{take}"


_TEXTS: Final[dict[type[Order], Callable[[Any], str]]] = {
    Explore: lambda o: f"S{o.ship}E{o.direction}",
    Travel: lambda o: f"S{o.ship}" + "".join(f"H{number}" for number in o.hexes),
    Teleport: lambda o: f"S{o.ship}J{o.to.value}{o.number}",
    Attack: lambda o: f"S{o.ship}A{o.target.value}{o.number}",
    Want: lambda o: f"S{o.ship}W{'B' if o.base else 'S'}",
    StandBack: lambda o: f"S{o.ship}N",
    Avoid: lambda o: f"S{o.ship}Q",
    EncounterAnswer: lambda o: (
        f"S{o.ship}" + (f"K{o.payment}" if o.payment else "Y" if o.yes else "V")
    ),
    Hire: lambda o: f"S{o.ship}I{o.number}:{o.payment}",
    Barter: lambda o: f"S{o.ship}T{_swap(o.give, o.take)}",
    PortTrade: lambda o: f"B{o.base}T{_swap(o.give, o.take)}",
    Offer: lambda o: f"X{o.player}:{_swap(o.give, o.take)}",
    BuildBase: lambda o: f"H{o.hex}B{o.kind.value}{o.corner}",
    BuildRing: lambda o: f"B{o.base}R",
    BuildShip: lambda o: f"{o.at.value}{o.number}BS",
    Enhance: lambda o: "E" + "".join(f"{number}{part.value}" for number, part in o.parts),
    SetStance: lambda o: f"P{o.player}{'H' if o.hostile else 'P'}",
    SetAlliance: lambda o: f"P{o.player}{'L' if o.yes else 'D'}",
    Resign: lambda _: "Q",
}


def render(order: Order) -> str:
    """Return the canonical text of *order*, which is read back as the same order."""
    return _TEXTS[type(order)](order)
