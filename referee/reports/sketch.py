"""A map with its legend as shapes with pixel positions, independent of the picture format."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import ceil, sqrt
from typing import Final

from referee.reports import box_map, hex_map, symbols
from referee.reports.box_map import BoxMap
from referee.reports.hex_map import HexMap
from referee.reports.hexes import GRIDS, Reached, ranges
from referee.reports.labels import Draw, Key, Lettering, arrow
from referee.reports.lettering import LARGE, ROW_HEIGHTS, SMALL, width, wrapped
from referee.reports.shapes import INK, LINE, LOOKS, Box, Dash, Path, Shape, Sketch, Word, stroke
from referee.reports.symbols import NOBODY, Colours, liveries
from referee.reports.text import one_line
from referee.rules.views import Chart, Grid, LinkKind, Sighting, UnitKind

_MARGIN: Final = 16
_NARROWEST: Final = 640
_BETWEEN: Final = 24
"""The room between panels."""
_TITLE: Final = 400
"""The most pixels that the title of a panel makes it wider."""
_TITLE_ROW: Final = 22
_KEY_COLUMN: Final = 420
"""The least width of a column of the key."""
_SQUARE: Final = 1.5
"""How much wider than high the panels of a map should be together."""

_Drawn = BoxMap | HexMap


@lru_cache(maxsize=8)
def sketch(chart: Chart, colours: Colours) -> Sketch:
    """Return the picture of a map for all picture formats.

    Labels never overlap, nothing is cut, and colours and places stay the same from turn to turn.
    """
    lettering = Lettering(liveries(chart, colours), Key())
    reached = ranges(chart) if chart.grid in GRIDS else ()
    rows = _shelves(_panels(chart, lettering, reached))
    across = max(_NARROWEST, *(sum(map(_slot, row)) + _BETWEEN * (len(row) - 1) for row in rows))
    head, y = _lines(chart.title, _MARGIN, _MARGIN, across)
    entries, height = legend(chart, lettering, reached, across)
    shapes = [*head, *(_moved(shape, _MARGIN, y + 4) for shape in entries)]
    y += height + 4 + _MARGIN
    for row in rows:
        panels, y = _row(row, y)
        shapes += panels
    below, y = _entries(lettering.key, across, y + _MARGIN)
    return Sketch(across + 2 * _MARGIN, y + _MARGIN, chart.title, (*shapes, *below))


def _row(row: Sequence[_Drawn], top: int) -> tuple[list[Shape], int]:
    """Return panels next to each other below their titles, and the height at which they end."""
    titles, x = list[Shape](), _MARGIN
    below = top
    for panel in row:
        lines, end = _lines(panel.title, x, top, _slot(panel))
        titles += lines
        below, x = max(below, end), x + _slot(panel) + _BETWEEN
    shapes, x = titles, _MARGIN
    for panel in row:
        shapes += panel.shapes(x, below)
        x += _slot(panel) + _BETWEEN
    return shapes, below + max(panel.height for panel in row)


def _lines(text: str, x: int, top: int, most: int) -> tuple[list[Shape], int]:
    """Return a text in lines of at most that width, and the height at which it ends."""
    lines = wrapped(text, LARGE, most)
    words = [_word(x, top + 10 + n * _TITLE_ROW, line, LARGE) for n, line in enumerate(lines)]
    return list[Shape](words), top + len(lines) * _TITLE_ROW


def _panels(chart: Chart, lettering: Lettering, reached: Sequence[Reached]) -> list[_Drawn]:
    if chart.grid is Grid.NONE or not chart.panels:
        return [box_map.web(chart, lettering)]
    if chart.grid is Grid.PLANE:
        return [box_map.plane(chart, panel, lettering) for panel in chart.panels]
    scale = hex_map.spacing(chart)
    return [hex_map.hexes(chart, panel, lettering, reached, scale) for panel in chart.panels]


def _slot(panel: _Drawn) -> int:
    """Return the width of a panel and of its title, which can be the wider one."""
    return max(panel.width, min(_TITLE, ceil(width(panel.title, LARGE))))


def _shelves(panels: Sequence[_Drawn]) -> list[list[_Drawn]]:
    """Return the panels in rows, so that the map is a little wider than high."""
    area = sum(_slot(panel) * panel.height for panel in panels)
    most = max(_SQUARE * sqrt(area), max(map(_slot, panels), default=0))
    rows: list[list[_Drawn]] = [[]]
    for panel in panels:
        if rows[-1] and sum(map(_slot, rows[-1])) + _slot(panel) > most:
            rows.append([])
        rows[-1].append(panel)
    return rows


def _word(x: float, y: float, text: str, size: int, colour: str = INK) -> Word:
    return Word(x, y, text, size, colour, width(text, size))


def _moved(shape: Shape, right: float, down: float) -> Shape:
    """Return a shape at another place."""
    if isinstance(shape, Path):
        return replace(shape, points=tuple((x + right, y + down) for x, y in shape.points))
    if isinstance(shape, Box):
        return replace(shape, x=shape.x + round(right), y=shape.y + round(down))
    return replace(shape, x=shape.x + right, y=shape.y + down)


def _entries(key: Key, across: int, top: int) -> tuple[list[Shape], int]:
    """Return the key in columns, row by row, and the height at which it ends."""
    columns = max(1, across // _KEY_COLUMN)
    room = across / columns - _BETWEEN - 20
    shapes: list[Shape] = []
    below = top
    for number, text in enumerate(key.entries):
        x = _MARGIN + number % columns * (across / columns)
        top = below if number % columns == 0 else top
        shapes += symbols.number(str(number + 1), x + 10, top + 8)
        for line, words in enumerate(wrapped(text, SMALL, room)):
            shapes.append(_word(x + 26, top + 8 + line * ROW_HEIGHTS[SMALL], words, SMALL))
            below = max(below, top + 8 + (line + 1) * ROW_HEIGHTS[SMALL] + 4)
    return shapes, below


_ROW: Final = 20
_SYMBOL: Final = 26
"""The room of a symbol before its words."""
_BETWEEN_ENTRIES: Final = 18
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
    for entry in _legend_entries(chart, lettering, reached):
        lines = wrapped(entry.words, SMALL, most - _SYMBOL) or [""]
        wide = _SYMBOL + max(width(line, SMALL) for line in lines)
        if x and x + wide > most:
            x, y = 0, y + _ROW
        shapes += entry.draw(x + _SYMBOL / 2 - 4, y + _ROW / 2)
        for number, line in enumerate(lines):
            middle = y + _ROW / 2 + number * (_ROW - 4)
            shapes.append(Word(x + _SYMBOL, middle, line, SMALL, INK, width(line, SMALL)))
        x += wide + _BETWEEN_ENTRIES
        y += (len(lines) - 1) * (_ROW - 4)
    return shapes, y + _ROW


def _legend_entries(
    chart: Chart, lettering: Lettering, reached: Iterable[Reached]
) -> Iterator[Entry]:
    """Yield an entry for each symbol on the map."""
    units = [unit for node in chart.nodes for unit in node.units]
    owners = {node.owner for node in chart.nodes} | {unit.owner for unit in units}
    for name, livery in lettering.liveries.items():
        if name in owners:
            border = " (bold border)" if chart.is_of_reader(name) else ""
            yield Entry(partial(symbols.flag, livery), one_line(name) + border)
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
