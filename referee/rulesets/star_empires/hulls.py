"""Hulls and the design formula: cost, tonnage and repair of a ship class (RULES 4.1, 4.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import ceil, exp, floor, isqrt
from typing import Final

from referee.rules.ruleset import UserError


class Hull(Enum):
    """The hull types; their values are their names in orders."""

    CAPITAL_SHIP = "capital_ship"
    GUNSHIP = "gunship"
    MISSILE = "missile"
    ORBITAL = "orbital"
    TRANSPORT = "transport"
    SCOUT = "scout"
    WING = "wing"
    DEVICE = "device"

    @property
    def title(self) -> str:
        """Return the name as reports write it: ``capital ship``."""
        return self.value.replace("_", " ")

    @property
    def one(self) -> str:
        """Return the name after its article: ``a capital ship``, ``an orbital``."""
        return f"{'an' if self is Hull.ORBITAL else 'a'} {self.title}"


ONE_SHOT: Final = frozenset({Hull.MISSILE, Hull.DEVICE})
"""The hulls that are used up when used; they cannot conquer or hold a world."""


class Table(Enum):
    """The hull data in use: those of the printed rules, or those of the public server."""

    RULES = "rules"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Ratings:
    """The five components of a ship class."""

    guns: int
    dp: int
    engines: int = 0
    scan: int = 0
    racks: int = 0

    def each(self) -> tuple[int, ...]:
        """Return the five numbers in the order of COMPONENTS."""
        return self.guns, self.dp, self.engines, self.scan, self.racks


COMPONENTS: Final = ("guns", "DP", "engines", "scan", "racks")


@dataclass(frozen=True, slots=True)
class HullRow:
    """A hull: its base ratings, the cost and tonnage of changes, and its limits.

    A denominator of 0 means that the component cannot differ from the base.
    """

    base: Ratings
    tonnage: int
    cost: int
    cost_by: tuple[float, float, float, float, float]
    tonnage_by: tuple[float, float, float, float, float]
    limits: tuple[int | None, int | None, int | None, int | None, int | None] = (None,) * 5


_FIXED: Final = (0, 0, 0, 0, 0)

ROWS: Final[Mapping[Table, Mapping[Hull, HullRow]]] = {
    Table.RULES: {
        Hull.CAPITAL_SHIP: HullRow(
            Ratings(35, 40, 2, 2, 1), 30, 28, (15, 15, 1.5, 1.5, 1.5), (20, 20, 5, 5, 2)
        ),
        Hull.GUNSHIP: HullRow(
            Ratings(20, 10, 2, 0, 0), 10, 15, (15, 10, 2, 1.5, 1.5), (20, 10, 5, 5, 2)
        ),
        Hull.MISSILE: HullRow(Ratings(8, 1), 1, 1, _FIXED, _FIXED),
        Hull.ORBITAL: HullRow(
            Ratings(30, 40, 0, 1, 2), 20, 25, (10, 15, 0, 2, 3), (10, 20, 0, 5, 2)
        ),
        Hull.TRANSPORT: HullRow(
            Ratings(5, 10, 2, 1, 2), 15, 10, (5, 10, 3, 1.5, 3), (5, 10, 5, 5, 2)
        ),
        Hull.SCOUT: HullRow(
            Ratings(1, 1, 3, 3, 0), 2, 2, (5, 5, 3, 3, 1.5), (5, 5, 5, 5, 2),
            (5, 5, None, None, 1),
        ),
        Hull.WING: HullRow(Ratings(5, 5), 1, 1, (15, 15, 0, 0, 0), (20, 20, 0, 0, 0)),
        Hull.DEVICE: HullRow(Ratings(0, 1), 2, 10, _FIXED, _FIXED),
    },
    # The server keeps denominators as whole numbers, so it reads 1.5 as 1.
    Table.SERVER: {
        Hull.CAPITAL_SHIP: HullRow(
            Ratings(35, 40, 2, 2, 2), 30, 28, (15, 15, 1, 1, 1), (20, 20, 5, 5, 2)
        ),
        Hull.GUNSHIP: HullRow(
            Ratings(20, 15, 2, 0, 0), 10, 15, (15, 10, 2, 1, 1), (20, 10, 5, 5, 2)
        ),
        Hull.MISSILE: HullRow(Ratings(0, 1), 1, 1, _FIXED, _FIXED),
        Hull.ORBITAL: HullRow(
            Ratings(30, 40, 0, 1, 2), 20, 25, (10, 15, 0, 2, 3), (10, 20, 0, 5, 2),
            (None, None, None, None, 1),
        ),
        Hull.TRANSPORT: HullRow(
            Ratings(2, 10, 2, 1, 5), 15, 10, (5, 10, 3, 1, 3), (5, 10, 5, 5, 2)
        ),
        Hull.SCOUT: HullRow(
            Ratings(1, 1, 3, 3, 0), 2, 2, (5, 5, 3, 3, 1), (5, 5, 5, 5, 2), (5, 5, None, None, 1)
        ),
        Hull.WING: HullRow(
            Ratings(5, 5), 1, 2, (15, 15, 0, 0, 0), (20, 20, 0, 0, 0), (15, 15, None, None, None)
        ),
        Hull.DEVICE: HullRow(Ratings(0, 1), 2, 10, _FIXED, _FIXED),
    },
}  # fmt: skip

BEYOND: Final = 10**9
"""A cost that no empire can pay, and a tonnage that no rack can carry."""
_STEEPEST: Final = 20.0
"""The largest exponent computed: exp(20) is nearly half of BEYOND."""
_MISSILE_DIVISOR: Final = {Table.RULES: 13.5, Table.SERVER: 5.0}


@dataclass(frozen=True, slots=True)
class ShipClass:
    """A ship class: its design, and the values computed from it."""

    name: str
    """Its key among all classes of the galaxy; each empire has its own name of it."""
    hull: Hull
    ratings: Ratings
    tonnage: int
    cost: int
    repair: int
    """The DP that a ship repairs automatically in a turn (AR)."""
    buildable: bool = True

    @property
    def starbase(self) -> bool:
        """Return whether the class is the starbase that every empire begins with (RULES 4.2.4)."""
        return self.name == STARBASE

    @property
    def fee(self) -> int:
        """Return the RU of its design: half its cost, rounded up; 0 for missiles."""
        return 0 if self.hull is Hull.MISSILE else (self.cost + 1) // 2


STARBASE: Final = "starbase"
HAMMER: Final = "hammer"
SHIELD: Final = "shield"


def some(count: int, component: str) -> str:
    """Return a rating in words: ``1 gun``, ``2 guns``, ``1 DP``."""
    return f"{count} {component.removesuffix('s') if count == 1 else component}"


def design(table: Table, name: str, hull: Hull, ratings: Ratings) -> ShipClass:
    """Design a class other than a missile. Raises UserError if the hull does not allow it."""
    row = ROWS[table][hull]
    if hull is Hull.MISSILE:
        raise UserError("a missile is designed with two numbers: its guns and its tonnage.")
    if ratings.guns < 1 and hull is not Hull.DEVICE:
        raise UserError("a ship needs at least 1 gun.")
    if ratings.dp < 1:
        raise UserError("a ship needs at least 1 DP.")
    for component, rating, base, by, limit in zip(
        COMPONENTS, ratings.each(), row.base.each(), row.cost_by, row.limits, strict=True
    ):
        if by == 0 and rating != base:
            raise UserError(f"{hull.one} always has {some(base, component)}.")
        if limit is not None and rating > limit:
            raise UserError(f"{hull.one} can have at most {some(limit, component)}.")
    cost = max(1, row.cost + _sum(ratings, row.base, row.cost_by))
    tonnage = max(1, row.tonnage + _sum(ratings, row.base, row.tonnage_by))
    return ShipClass(
        name, hull, ratings, min(tonnage, BEYOND), min(cost, BEYOND), repair_of(table, ratings.dp)
    )


def design_missile(table: Table, name: str, guns: int, tonnage: int) -> ShipClass:
    """Design a missile. Raises UserError if it has no guns or no tonnage."""
    if guns < 1:
        raise UserError("a missile needs at least 1 gun.")
    if tonnage < 1:
        raise UserError("a missile needs a tonnage of at least 1.")
    weight = guns / (_MISSILE_DIVISOR[table] * tonnage)
    cost = BEYOND if weight > _STEEPEST else max(1, floor(exp(weight) + 0.5))
    return ShipClass(name, Hull.MISSILE, Ratings(guns, 1), tonnage, cost, 0)


def repair_of(table: Table, dp: int) -> int:
    """Return the DP that a ship repairs automatically: a tenth, at least 1 (RULES 4.1)."""
    return max(1, dp // 10 if table is Table.RULES else (dp + 5) // 10)


def operational(rating: int, dp: int, whole: int) -> int:
    """Return *rating* times the root of *dp*/*whole*, rounded half up (RULES 4.1)."""
    # The integer root of twice the product keeps the half, so rounding is exact.
    return (isqrt(4 * rating * rating * dp // whole) + 1) // 2


def start_classes(table: Table, *, devices: bool) -> dict[str, ShipClass]:
    """Return the classes that every empire knows at the start, by name."""
    rows = _SERVER_CLASSES if table is Table.SERVER else _printed_classes()
    special = (_STARBASE, *(_DEVICES if devices else ()))
    return {each.name: each for each in (*rows, *special)}


def _printed_classes() -> tuple[ShipClass, ...]:
    """Return one class of each hull at its printed base ratings, tonnage and cost."""
    classes = []
    for name, hull in _NAMES.items():
        row = ROWS[Table.RULES][hull]
        repair = 0 if hull is Hull.MISSILE else repair_of(Table.RULES, row.base.dp)
        classes.append(ShipClass(name, hull, row.base, row.tonnage, row.cost, repair))
    return tuple(classes)


_NAMES: Final = {
    "battleship": Hull.CAPITAL_SHIP,
    "probe": Hull.SCOUT,
    "carrier": Hull.TRANSPORT,
    "station": Hull.ORBITAL,
    "frigate": Hull.GUNSHIP,
    "fighter": Hull.WING,
    "nuke": Hull.MISSILE,
}
_STARBASE: Final = ShipClass(
    STARBASE, Hull.ORBITAL, Ratings(150, 200, 0, 2, 10), 999, 999, 20, buildable=False
)
_DEVICES: Final = (
    ShipClass(HAMMER, Hull.DEVICE, Ratings(0, 1), 2, 10, 1),
    ShipClass(SHIELD, Hull.DEVICE, Ratings(0, 1), 2, 10, 1),
)
_SERVER_CLASSES: Final = (
    ShipClass("battleship", Hull.CAPITAL_SHIP, Ratings(35, 40, 2, 1, 2), 30, 28, 4),
    ShipClass("probe", Hull.SCOUT, Ratings(1, 1, 3, 3, 0), 2, 2, 1),
    ShipClass("carrier", Hull.TRANSPORT, Ratings(2, 10, 2, 1, 5), 15, 10, 1),
    ShipClass("station", Hull.ORBITAL, Ratings(30, 40, 0, 1, 2), 20, 25, 4),
    ShipClass("frigate", Hull.GUNSHIP, Ratings(20, 15, 2, 0, 0), 10, 15, 1),
    ShipClass("fighter", Hull.WING, Ratings(5, 5), 1, 2, 1),
    ShipClass("nuke", Hull.MISSILE, Ratings(7, 1), 1, 1, 0),
)


def _sum(ratings: Ratings, base: Ratings, by: tuple[float, float, float, float, float]) -> int:
    pairs = zip(ratings.each(), base.each(), by, strict=True)
    return sum(_more(rating - usual, each) for rating, usual, each in pairs)


def _more(delta: int, by: float) -> int:
    """Return the cost or tonnage of a difference; a negative difference saves as much."""
    if delta == 0:
        return 0
    steep = abs(delta) / by
    size = BEYOND if steep > _STEEPEST else ceil(exp(steep))
    return size if delta > 0 else -size
