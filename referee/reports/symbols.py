"""The shapes of marks, units and owners, which differ in grey and for colour-blind people, too."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from math import cos, pi, sin
from types import MappingProxyType
from typing import Final

from referee.reports.lettering import TINY, width
from referee.reports.shapes import INK, PAPER, Disc, Path, Point, Shape, Word, stroke
from referee.rules.extras import Colour
from referee.rules.views import Chart, Mark, UnitKind

HALF: Final = 7.0
"""Half the size of a symbol."""
SHADES: Final[Mapping[Colour, str]] = {
    Colour.BLUE: "#8ec5ff",
    Colour.ORANGE: "#ffb86b",
    Colour.GREEN: "#9be08f",
    Colour.RED: "#ff9d9d",
    Colour.VIOLET: "#cbb3ff",
    Colour.YELLOW: "#ffe066",
    Colour.WHITE: "#f1eee4",
}
"""The colours that a game can give its seats, by name."""
PALETTE: Final = (
    "#8ec5ff", "#ffb86b", "#9be08f", "#ff9d9d", "#cbb3ff", "#ffe066", "#7fe0cf", "#ffb3da",
    "#d3b28c", "#c5e05a", "#8fdcf0", "#aab6d3", "#e6a8f5", "#cdc87a", "#ffac8c",
)  # fmt: skip
"""The colours of all other seats."""


@dataclass(frozen=True, slots=True)
class Livery:
    """The colour and the letter of an owner."""

    colour: str
    letter: str


NOBODY: Final = Livery(PAPER, "")
OTHERS: Final = "#dedede"
"""The colour of an owner who has no seat in the game."""

_NONE: Final[Mapping[str, Colour]] = MappingProxyType({})

Colours = tuple[tuple[str, str], ...]
"""The colour of each seat of a game, by its name."""


def colours_of(names: Iterable[str], given: Mapping[str, Colour] = _NONE) -> Colours:
    """Return the colours of seats: those that the game has *given*, else in this sequence."""
    taken = {name: SHADES[colour] for name, colour in given.items()}
    free = cycle([colour for colour in PALETTE if colour not in taken.values()])
    return tuple((name, taken.get(name) or next(free)) for name in names)


def liveries(chart: Chart, colours: Colours) -> Mapping[str, Livery]:
    """Return the colour and letter of each owner; owners that are not listed come last."""
    by_name = dict(colours)
    units = (unit.owner for node in chart.nodes for unit in node.units)
    others = sorted({*(node.owner for node in chart.nodes), *units} - {*chart.owners, ""})
    found: dict[str, Livery] = {}
    letters: set[str] = set()
    for owner in dict.fromkeys((*chart.owners, *others)):
        letter = _letter(owner, letters)
        letters.add(letter)
        found[owner] = Livery(by_name.get(owner, OTHERS), letter)
    return found


def _letter(owner: str, taken: set[str]) -> str:
    """Return the first letter of a name that no earlier owner has, or the first free one."""
    own = [c for c in owner.upper() if c.isascii() and c.isalnum()]
    spare = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"]
    return next((c for c in (*own, *spare) if c not in taken), "*")


_Points = Sequence[Point]
_STAR: Final = tuple(
    ((1, 0.42)[n % 2] * sin(n * pi / 5), -(1, 0.42)[n % 2] * cos(n * pi / 5)) for n in range(10)
)
_FORMS: Final[Mapping[UnitKind, _Points]] = {
    UnitKind.FLEET: ((-1, -0.9), (0.4, -0.9), (1.15, 0), (0.4, 0.9), (-1, 0.9)),
    UnitKind.BASE: ((-0.95, -0.95), (0.95, -0.95), (0.95, 0.95), (-0.95, 0.95)),
    UnitKind.GARRISON: ((-1.1, -0.9), (1.1, -0.9), (0.65, 0.95), (-0.65, 0.95)),
    UnitKind.MERCENARY: ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    UnitKind.UNKNOWN: ((0, -1.2), (1.15, 0.95), (-1.15, 0.95)),
    UnitKind.TREASURE: _STAR,
}
"""The outlines of units; a ship is a disc."""


def unit(kind: UnitKind, livery: Livery, x: float, y: float) -> Iterator[Shape]:
    """Yield the symbol of a unit around its middle, with the letter of its owner."""
    if kind is UnitKind.TREASURE:
        yield _polygon(_FORMS[kind], x, y, fill=INK)
        return
    if kind is UnitKind.SHIP:
        yield Disc(x, y, HALF, livery.colour)
    else:
        yield _polygon(_FORMS[kind], x, y, fill=livery.colour)
    yield from _lettered(livery.letter, x, y + (2 if kind is UnitKind.UNKNOWN else 0))


def flag(livery: Livery, x: float, y: float) -> Iterator[Shape]:
    """Yield the flag of a place's owner."""
    yield _polygon(((-1, -1), (1, -1), (1, 0.6), (-1, 0.6)), x, y, fill=livery.colour)
    yield stroke((x - HALF, y - HALF), (x - HALF, y + HALF + 1), INK, 2)
    yield from _lettered(livery.letter, x, y - 1)


def number(text: str, x: float, y: float) -> Iterator[Shape]:
    """Yield the number of an entry of the key below a map."""
    half = max(HALF, width(text, TINY) / 2 + 3)
    sides = ((-half, -HALF + 1), (half, -HALF + 1), (half, HALF - 1), (-half, HALF - 1))
    yield Path(tuple((x + right, y + down) for right, down in sides), INK)
    yield from _lettered(text, x, y, PAPER)


def _lettered(text: str, x: float, y: float, colour: str = INK) -> Iterator[Shape]:
    if text:
        wide = width(text, TINY)
        yield Word(x - wide / 2, y, text, TINY, colour, wide)


def _polygon(points: _Points, x: float, y: float, fill: str = "") -> Path:
    return Path(tuple((x + HALF * right, y + HALF * down) for right, down in points), fill)


_SOLIDS: Final[Mapping[Mark, _Points]] = {
    Mark.HOME: ((0, -1), (1, 0), (0.7, 0), (0.7, 0.9), (-0.7, 0.9), (-0.7, 0), (-1, 0)),
    Mark.PRODUCTION: (
        (-1, 0.9), (-1, -0.1), (-0.35, -0.7), (-0.35, -0.1), (0.3, -0.7), (0.3, -0.1),
        (0.95, -0.7), (0.95, 0.9),
    ),
    Mark.FORTRESS: (
        (-0.9, 0.9), (-0.9, -0.9), (-0.45, -0.9), (-0.45, -0.4), (-0.22, -0.4), (-0.22, -0.9),
        (0.22, -0.9), (0.22, -0.4), (0.45, -0.4), (0.45, -0.9), (0.9, -0.9), (0.9, 0.9),
    ),
    Mark.STORM: ((0.2, -1), (-0.7, 0.2), (-0.05, 0.2), (-0.3, 1), (0.7, -0.25), (0.05, -0.25)),
}  # fmt: skip
"""Marks that are one filled shape."""


def mark(kind: Mark, x: float, y: float) -> Iterator[Shape]:
    """Yield the symbol of a mark around its middle."""
    if kind in _SOLIDS:
        yield _polygon(_SOLIDS[kind], x, y, fill=INK)
    else:
        yield from _DRAWN[kind](x, y)


def _siege(x: float, y: float) -> Iterator[Shape]:
    for right in (-6, 6):
        yield stroke((x - right, y - 6), (x + right, y + 6), INK, 2)


def _portal(x: float, y: float) -> Iterator[Shape]:
    yield Disc(x, y, 6, PAPER, thickness=2)
    yield Disc(x, y, 2, INK)


def _black_hole(x: float, y: float) -> Iterator[Shape]:
    yield Disc(x, y, 6.5, PAPER)
    yield Disc(x, y, 4, INK)


def _spiral(x: float, y: float) -> Iterator[Shape]:
    turns = [(n * pi / 5, 0.5 + n * 0.33) for n in range(20)]
    points = tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle, radius in turns)
    yield Path(points, "", INK, 1.5, closed=False)


def _pad(x: float, y: float) -> Iterator[Shape]:
    yield _polygon(((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)), x, y, fill=PAPER)
    yield Disc(x, y, 3, INK)


def _cloud(x: float, y: float) -> Iterator[Shape]:
    for right, down, radius in ((-3.5, 1.5, 3.0), (3.5, 1.5, 3.0), (0.0, -1.0, 4.0)):
        yield Disc(x + right, y + down, radius, PAPER)


def _person(x: float, y: float) -> Iterator[Shape]:
    yield Disc(x, y - 4, 2.5, INK)
    yield _polygon(((-0.7, 0.9), (-0.4, 0), (0.4, 0), (0.7, 0.9)), x, y, fill=INK)


def _coin(x: float, y: float) -> Iterator[Shape]:
    yield Disc(x, y, 6.5, PAPER)
    yield from _lettered("$", x, y)


def _shield(x: float, y: float) -> Iterator[Shape]:
    outline = ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.1), (0, 1), (-0.9, 0.1))
    yield _polygon(outline, x, y, fill=PAPER)
    yield stroke((x, y - 6), (x, y + 6), INK, 2)


def _skull(x: float, y: float) -> Iterator[Shape]:
    yield Disc(x, y - 1.5, 5, INK)
    yield _polygon(((-0.4, 0.2), (0.4, 0.2), (0.4, 0.95), (-0.4, 0.95)), x, y, fill=INK)
    for right in (-2, 2):
        yield Disc(x + right, y - 1.5, 1.3, PAPER, PAPER)


_DRAWN: Final[Mapping[Mark, Callable[[float, float], Iterator[Shape]]]] = {
    Mark.SIEGE: _siege,
    Mark.PORTAL: _portal,
    Mark.TELEPORTER: _pad,
    Mark.WORMHOLE: _spiral,
    Mark.BLACK_HOLE: _black_hole,
    Mark.NEBULA: _cloud,
    Mark.PEOPLE: _person,
    Mark.TRADER: _coin,
    Mark.PIRATES: _skull,
    Mark.MERCENARIES: _shield,
}
"""Marks of several shapes."""
