"""A map as shapes with pixel positions, independent of the picture format."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil, sqrt
from typing import Final

from referee.reports import box_map, hex_map, symbols
from referee.reports.box_map import BoxMap
from referee.reports.hex_map import HexMap
from referee.reports.hexes import GRIDS
from referee.reports.labels import Key, Lettering
from referee.reports.legend import legend
from referee.reports.lettering import LARGE, ROW_HEIGHTS, SMALL, width, wrapped
from referee.reports.ranges import Reached, ranges
from referee.reports.shapes import INK, Box, Path, Shape, Sketch, Word
from referee.reports.symbols import liveries
from referee.rules.views import Chart, Grid

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
def sketch(chart: Chart) -> Sketch:
    """Return the picture of a map for all picture formats.

    Labels never overlap, nothing is cut, and colours and places stay the same from turn to turn.
    """
    lettering = Lettering(liveries(chart), Key())
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
