"""A map as lines, boxes and words with pixel positions, independent of the picture format."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from referee.reports.placing import Cell, cells, is_near, natural
from referee.rules.views import Chart, Node, Sighting

COLUMN, ROW = 40, 52
"""The size of a cell; a box is a little less than two columns wide and one row high."""
LARGE, SMALL = 13, 10
"""The font sizes."""
_BOX_WIDTH: Final = 76
_MARGIN: Final = 16
_LINE_HEIGHT: Final = 11
_HEAD_HEIGHT: Final = 15
_MOST_LINES: Final = 3
_MOST_FAR: Final = 2
_MOST_LETTERS: Final = 12
_LEGEND_STEP: Final = 130
_NARROWEST: Final = 4 * _LEGEND_STEP + 2 * _MARGIN

PAPER, INK, FAINT, LINE = "#ffffff", "#16191d", "#6c757d", "#adb5bd"
_REMEMBERED: Final = "#e9ecef"
PALETTE: Final = (
    "#8ec5ff", "#ffb86b", "#9be08f", "#ff9d9d", "#cbb3ff", "#ffe066", "#7fe0cf", "#ffb3da",
    "#d3b28c", "#c5e05a", "#8fdcf0", "#aab6d3", "#e6a8f5", "#cdc87a", "#ffac8c",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line."""

    x1: int
    y1: int
    x2: int
    y2: int
    colour: str


@dataclass(frozen=True, slots=True)
class Box:
    """A box with round corners: its left upper corner, its size, its colours."""

    x: int
    y: int
    width: int
    height: int
    fill: str
    edge: str
    thickness: int = 1


@dataclass(frozen=True, slots=True)
class Word:
    """A line of text; x is its middle, or its beginning if left-aligned, and y its middle."""

    x: int
    y: int
    text: str
    size: int
    colour: str
    centred: bool = True


Shape = Stroke | Box | Word


@dataclass(frozen=True, slots=True)
class Sketch:
    """A picture: its size, and its shapes from the bottom to the top."""

    width: int
    height: int
    title: str
    shapes: tuple[Shape, ...]


@lru_cache(maxsize=8)
def sketch(chart: Chart) -> Sketch:
    """Return the picture of a map for all picture formats.

    Boxes never overlap, and colours and places stay the same from turn to turn.
    """
    at = cells(chart)
    corner = Cell(
        min((cell.column for cell in at.values()), default=0),
        min((cell.row for cell in at.values()), default=0),
    )
    drawing = _Drawing(chart, at, corner, _colours(chart))
    legend = tuple(drawing.legend())
    shapes = (*drawing.links(), *drawing.nodes(), *legend)
    return Sketch(drawing.width, drawing.height, chart.title, shapes)


@dataclass(frozen=True, slots=True)
class _Drawing:
    chart: Chart
    at: dict[str, Cell]
    corner: Cell
    """The leftmost column and the top row."""
    colours: dict[str, str]

    @property
    def width(self) -> int:
        """The width of the picture."""
        last = max((cell.column for cell in self.at.values()), default=0)
        across = (last - self.corner.column + 2) * COLUMN + 2 * _MARGIN
        return max(_NARROWEST, across)

    @property
    def height(self) -> int:
        """The height of the picture, with its legend."""
        last = max((cell.row for cell in self.at.values()), default=0)
        return self._top + (last - self.corner.row + 1) * ROW + _MARGIN

    @property
    def _top(self) -> int:
        """The top of the map, below the legend."""
        in_row = (self.width - 2 * _MARGIN) // _LEGEND_STEP
        return 2 * _MARGIN + 24 + 20 * -(-len(self._entries()) // in_row)

    def links(self) -> Iterator[Stroke]:
        """Yield the links that are drawn."""
        for link in self.chart.links:
            known = link.one in self.at and link.other in self.at
            if known and self._is_drawn(link.one, link.other):
                yield Stroke(*self._middle(link.one), *self._middle(link.other), LINE)

    def nodes(self) -> Iterator[Shape]:
        """Yield the places."""
        for node in self.chart.nodes:
            yield from self._node(node)

    def legend(self) -> Iterator[Shape]:
        """Yield the title, and the meaning of the colours."""
        yield Word(_MARGIN, _MARGIN + 8, self.chart.title, LARGE, INK, centred=False)
        in_row = (self.width - 2 * _MARGIN) // _LEGEND_STEP
        for number, (name, fill, edge) in enumerate(self._entries()):
            x = _MARGIN + number % in_row * _LEGEND_STEP
            y = _MARGIN + 24 + number // in_row * 20
            yield Box(x, y, 18, 12, fill, edge)
            yield Word(x + 24, y + 6, name[:18], SMALL, INK, centred=False)

    def _entries(self) -> list[tuple[str, str, str]]:
        """Return the legend: what is on the map, and its colours."""
        owners = {node.owner for node in self.chart.nodes}
        entries = [(name, self.colours[name], INK) for name in self.colours if name in owners]
        sightings = {node.sighting for node in self.chart.nodes if not node.owner}
        entries += [(words, *_PAINT[s]) for s, words in _UNOWNED.items() if s in sightings]
        return entries

    def _node(self, node: Node) -> Iterator[Shape]:
        x, y = self._middle(node.key)
        fill, edge = _PAINT[node.sighting]
        if node.owner:
            fill, edge = self.colours[node.owner], INK
        words = INK if node.sighting is Sighting.SEEN else FAINT
        lines = self._lines(node)
        height = _HEAD_HEIGHT + _LINE_HEIGHT * len(lines)
        width = _BOX_WIDTH if lines else 8 * len(node.key) + 12
        own = bool(self.chart.owners) and node.owner == self.chart.owners[0]
        top = y - height // 2
        yield Box(x - width // 2, top, width, height, fill, edge, 2 if own else 1)
        yield Word(x, top + 8, node.key, LARGE, words)
        for number, line in enumerate(lines):
            yield Word(x, top + 19 + _LINE_HEIGHT * number, line, SMALL, words)

    def _lines(self, node: Node) -> list[str]:
        """Return the text below the name: the node's lines, and links that are not drawn."""
        far = self._far(node)
        lines = [*node.lines][: _MOST_LINES - bool(far)]
        return [_cut(line) for line in (*lines, *far)]

    def _far(self, node: Node) -> list[str]:
        keys = sorted(self.chart.neighbours(node.key), key=natural)
        far = [key for key in keys if key in self.at and not self._is_drawn(node.key, key)]
        shown = far if len(far) <= _MOST_FAR else [far[0], f"+{len(far) - 1}"]
        return [f"to {' '.join(shown)}"] if far else []

    def _is_drawn(self, one: str, other: str) -> bool:
        return is_near(self.at[one], self.at[other])

    def _middle(self, key: str) -> tuple[int, int]:
        cell = self.at[key]
        x = _MARGIN + COLUMN + (cell.column - self.corner.column) * COLUMN
        y = self._top + ROW // 2 + (cell.row - self.corner.row) * ROW
        return x, y


_PAINT: Final = {
    Sighting.SEEN: (PAPER, INK),
    Sighting.REMEMBERED: (_REMEMBERED, FAINT),
    Sighting.UNEXPLORED: (PAPER, LINE),
}
"""The fill and edge of a place without an owner."""
_UNOWNED: Final = {
    Sighting.SEEN: "nobody's",
    Sighting.REMEMBERED: "not seen this turn",
    Sighting.UNEXPLORED: "unexplored",
}


def _colours(chart: Chart) -> dict[str, str]:
    """Return a colour for each owner; owners that are not listed come last."""
    others = sorted({node.owner for node in chart.nodes} - {*chart.owners, ""})
    owners = (*dict.fromkeys(chart.owners), *others)
    return {owner: PALETTE[number % len(PALETTE)] for number, owner in enumerate(owners)}


def _cut(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= _MOST_LETTERS else f"{line[: _MOST_LETTERS - 1]}…"
