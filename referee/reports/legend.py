"""The legend of a map: owners with their colours and letters, and the meaning of every symbol."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from referee.reports import symbols
from referee.reports.labels import Draw, Lettering, arrow
from referee.reports.lettering import SMALL, one_line, width, wrapped
from referee.reports.ranges import Reached
from referee.reports.shapes import INK, LINE, LOOKS, Box, Dash, Shape, Word, stroke
from referee.reports.symbols import NOBODY
from referee.rules.views import Chart, Grid, LinkKind, Sighting, UnitKind

_ROW: Final = 20
_SYMBOL: Final = 26
"""The room of a symbol before its words."""
_BETWEEN: Final = 18
_UNOWNED: Final = {
    Sighting.SEEN: "nobody's",
    Sighting.REMEMBERED: "not seen this turn",
    Sighting.UNEXPLORED: "unexplored",
}
_UNITS: Final = {
    UnitKind.FLEET: "fleet",
    UnitKind.SHIP: "ship",
    UnitKind.BASE: "base",
    UnitKind.GARRISON: "garrison",
    UnitKind.MERCENARY: "mercenary",
    UnitKind.UNKNOWN: "unknown ships",
    UnitKind.TREASURE: "artifact",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A symbol, and what it means."""

    draw: Draw
    words: str


def legend(
    chart: Chart, lettering: Lettering, reached: Sequence[Reached], most: float
) -> tuple[list[Shape], int]:
    """Return the legend at (0, 0) in rows of at most that width, and its height."""
    shapes: list[Shape] = []
    x, y = 0.0, 0
    for entry in _entries(chart, lettering, reached):
        lines = wrapped(entry.words, SMALL, most - _SYMBOL) or [""]
        wide = _SYMBOL + max(width(line, SMALL) for line in lines)
        if x and x + wide > most:
            x, y = 0, y + _ROW
        shapes += entry.draw(x + _SYMBOL / 2 - 4, y + _ROW / 2)
        for number, line in enumerate(lines):
            middle = y + _ROW / 2 + number * (_ROW - 4)
            shapes.append(Word(x + _SYMBOL, middle, line, SMALL, INK, width(line, SMALL)))
        x += wide + _BETWEEN
        y += (len(lines) - 1) * (_ROW - 4)
    return shapes, y + _ROW


def _entries(chart: Chart, lettering: Lettering, reached: Iterable[Reached]) -> Iterator[Entry]:
    """Yield an entry for each symbol on the map."""
    units = [unit for node in chart.nodes for unit in node.units]
    owners = {node.owner for node in chart.nodes} | {unit.owner for unit in units}
    for name, livery in lettering.liveries.items():
        if name in owners:
            yield Entry(partial(symbols.flag, livery), one_line(name))
    found = {node.sighting for node in chart.nodes if not node.owner}
    found |= {ground.sighting for ground in chart.ground if chart.grid is not Grid.NONE}
    yield from (Entry(_sample(s), words) for s, words in _UNOWNED.items() if s in found)
    kinds = {unit.kind for unit in units}
    yield from (
        Entry(partial(symbols.unit, kind, NOBODY), words)
        for kind, words in _UNITS.items()
        if kind in kinds
    )
    marks = {mark for node in chart.nodes for mark in node.marks}
    for mark in sorted(marks, key=lambda mark: mark.value):
        yield Entry(partial(symbols.mark, mark), mark.value)
    if any(link.kind is LinkKind.JUMP for link in chart.links):
        yield Entry(arrow, "leads to")
    yield from (Entry(_dashed(each.colour, each.dash), each.title) for each in reached)


def _sample(sighting: Sighting) -> Draw:
    def draw(x: float, y: float) -> Iterator[Shape]:
        fill, edge, dash = LOOKS[sighting]
        yield Box(round(x) - 9, round(y) - 6, 18, 12, fill, edge, dash=dash)

    return draw


def _dashed(colour: str, dash: Dash) -> Draw:
    return lambda x, y: [stroke((x - 10, y), (x + 10, y), colour or LINE, 2, dash)]
