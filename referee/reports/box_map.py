"""Places as boxes: on a grid of cells if the rules know no coordinates, else at their spots."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from referee.reports.labels import Frame, Lettering, Paragraph, Row, Token, jump
from referee.reports.placing import cells, is_near, natural
from referee.reports.shapes import FAINT, INK, LOOKS, OWN, Box, Shape, stroke
from referee.reports.symbols import NOBODY
from referee.rules.views import Chart, LinkKind, Node, Panel

COLUMN, ROW = 50, 75
"""The size of a cell; a box is a little less than two columns wide and one row high."""
_WIDEST: Final = 2 * COLUMN - 6
_HIGHEST: Final = ROW - 6
_PADDING: Final = 5
_LARGEST: Final = 5000
"""The most pixels of a side. Places that would overlap then share a box."""


@dataclass(frozen=True, slots=True)
class BoxMap:
    """A panel of boxes: the places at each point, in pixels from its left upper corner."""

    chart: Chart
    lettering: Lettering
    title: str
    width: int
    height: int
    groups: Mapping[tuple[int, int], Sequence[Node]]
    drawn: frozenset[frozenset[str]]
    """The links that are drawn, by the keys of their ends."""

    def shapes(self, left: int, top: int) -> Iterator[Shape]:
        """Yield the links and the boxes."""
        at = {node.key: point for point, nodes in self.groups.items() for node in nodes}
        for ends in sorted(self.drawn, key=sorted):
            one, other = (at[key] for key in sorted(ends))
            yield stroke((left + one[0], top + one[1]), (left + other[0], top + other[1]), FAINT)
        far = self._far()
        for (x, y), nodes in self.groups.items():
            yield from self._box(nodes, far, left + x, top + y)

    def _box(
        self, nodes: Sequence[Node], far: Mapping[str, list[Paragraph]], x: int, y: int
    ) -> Iterator[Shape]:
        half = _WIDEST / 2 - _PADDING
        frame = Frame(-_HIGHEST / 2, _HIGHEST / 2, 2 * half, lambda _top, _bottom: half)
        rows = self.lettering.label(nodes, far, frame)
        yield _outline(self.chart, self.lettering, nodes[0], rows, x, y)
        for row in rows:
            yield from row.shapes(x, y)

    def _far(self) -> dict[str, list[Paragraph]]:
        """Return the ways that are not drawn, as paragraphs of the places at their ends."""
        found: defaultdict[str, list[Paragraph]] = defaultdict(list)
        far: defaultdict[str, list[str]] = defaultdict(list)
        for link in self.chart.links:
            if link.kind is LinkKind.JUMP:
                found[link.one].append(jump(link.other))
            elif link.one != link.other and frozenset((link.one, link.other)) not in self.drawn:
                far[link.one].append(link.other)
                far[link.other].append(link.one)
        for key, others in far.items():
            words = ("to", *sorted(set(others), key=natural))
            found[key].append(Paragraph(tuple(Token(word) for word in words)))
        return found


def _outline(
    chart: Chart, lettering: Lettering, node: Node, rows: Sequence[Row], x: int, y: int
) -> Box:
    wide = max((row.width for row in rows), default=0)
    above = min((row.top for row in rows), default=-6)
    below = max((row.bottom for row in rows), default=6)
    fill, edge, dash = LOOKS[node.sighting]
    if node.owner:
        fill, edge = lettering.liveries.get(node.owner, NOBODY).colour, INK
    left, top = round(x - wide / 2 - _PADDING), round(y + above) - 1
    size = ceil(wide + 2 * _PADDING), ceil(below - above) + 2
    return Box(left, top, *size, fill, edge, OWN if chart.is_of_reader(node.owner) else 1, dash)


def web(chart: Chart, lettering: Lettering) -> BoxMap:
    """Return a map without coordinates, on a grid of cells."""
    at = cells(chart)
    left = min((cell.column for cell in at.values()), default=0) - 1
    top = min((cell.row for cell in at.values()), default=0)
    groups = {
        (
            (at[node.key].column - left) * COLUMN,
            (at[node.key].row - top) * ROW + ROW // 2,
        ): [node]
        for node in chart.nodes
    }
    drawn = frozenset(
        frozenset((link.one, link.other))
        for link in chart.links
        if link.kind is not LinkKind.JUMP
        and link.one != link.other
        and {link.one, link.other} <= at.keys()
        and is_near(at[link.one], at[link.other])
    )
    right = max((x for x, _ in groups), default=0) + COLUMN
    bottom = max((y for _, y in groups), default=0) + ROW // 2
    return BoxMap(chart, lettering, "", right, bottom, groups, drawn)


def plane(chart: Chart, panel: Panel, lettering: Lettering) -> BoxMap:
    """Return a panel of a map with coordinates, large enough that no boxes overlap."""
    spots = {
        node.key: (node.spot.x, node.spot.y)
        for node in chart.nodes
        if node.spot is not None and node.spot.panel == panel.key
    }
    left = min((x for x, _ in spots.values()), default=0)
    top = min((y for _, y in spots.values()), default=0)
    scale = _scale(sorted(set(spots.values())))
    groups: dict[tuple[int, int], list[Node]] = {}
    for node in chart.nodes:
        if node.key in spots:
            x, y = spots[node.key]
            point = round((x - left) * scale) + COLUMN, round((y - top) * scale) + ROW // 2
            groups.setdefault(_same(groups, point), []).append(node)
    drawn = frozenset(
        frozenset((link.one, link.other))
        for link in chart.links
        if link.kind is LinkKind.WAY
        and link.one != link.other
        and {link.one, link.other} <= spots.keys()
    )
    right = max((x for x, _ in groups), default=0) + COLUMN
    bottom = max((y for _, y in groups), default=0) + ROW // 2
    return BoxMap(chart, lettering, panel.title, right, bottom, groups, drawn)


def _scale(spots: Sequence[tuple[float, float]]) -> float:
    """Return the pixels of a unit of the plane, so that boxes have room."""
    needed = 1.0
    for number, (x, y) in enumerate(spots):
        for other_x, other_y in spots[:number]:
            right, down = abs(x - other_x), abs(y - other_y)
            across = 2 * COLUMN / right if right else float("inf")
            needed = max(needed, min(across, ROW / down if down else float("inf")))
    sides: list[float] = [max(axis) - min(axis) for axis in zip(*spots, strict=True)]
    return min(needed, *(_LARGEST / side for side in sides if side), float(_LARGEST))


def _same(groups: Mapping[tuple[int, int], object], point: tuple[int, int]) -> tuple[int, int]:
    """Return a point whose box would overlap that of *point*, or else *point*."""
    for x, y in groups:
        if abs(x - point[0]) < 2 * COLUMN - 4 and abs(y - point[1]) < ROW - 4:
            return x, y
    return point
