"""A panel of hexes: each at its place, with its name, what is on it, and ranges."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, hypot
from typing import Final

from referee.reports.hexes import (
    RADIUS,
    Hex,
    Reached,
    border,
    corner,
    half_width,
    hexes_of,
    inside,
    middle,
)
from referee.reports.labels import Frame, Lettering, Paragraph, Row, jump, named
from referee.reports.shapes import (
    FAINT,
    INK,
    LINE,
    LOOKS,
    OWN,
    PAPER,
    Box,
    Path,
    Point,
    Shape,
    stroke,
)
from referee.reports.symbols import NOBODY
from referee.rules.spots import axial
from referee.rules.views import Chart, Grid, LinkKind, Node, Panel, Sighting, Spot, Unit

_INSET: Final = 1.5
"""The paper between two hexes, on each side."""
_MARGIN: Final = 4
"""The free room at each side inside a hex."""
_CHIP: Final = 16
"""The height of the box of units that are not in the middle of their hex."""
_EDGE: Final = 24
"""The room around a panel, in which such a box can be."""
_SIZES: Final = ((620, 96), (900, 88))
_SMALLEST: Final = 80
"""The pixels between hexes, by the most hexes on a map of that size."""


def spacing(chart: Chart) -> int:
    """Return the pixels between two neighbouring hexes: fewer on a large map."""
    count = sum(len(tiles_of(chart, panel)) for panel in chart.panels)
    return next((pixels for most, pixels in _SIZES if count <= most), _SMALLEST)


@dataclass(slots=True)
class Tile:
    """A hex: its name, how well it is known, and what is on it."""

    name: str = ""
    sighting: Sighting = Sighting.SEEN
    nodes: list[Node] = field(default_factory=list)

    @property
    def owner(self) -> str:
        """The owner of what is there, or an empty string."""
        return next((node.owner for node in self.nodes if node.owner), "")


def tiles_of(chart: Chart, panel: Panel) -> dict[Hex, Tile]:
    """Return the hexes of a panel: its area, the known ground, and those of places."""
    tiles: defaultdict[Hex, Tile] = defaultdict(Tile)
    for at in hexes_of(panel.area, chart.grid) if panel.area is not None else ():
        tiles[at].sighting = Sighting.SEEN
    for ground in chart.ground:
        if ground.spot.panel == panel.key:
            tiles[axial(ground.spot, chart.grid)] = Tile(ground.name, ground.sighting)
    for node in chart.nodes:
        if node.spot is not None and node.spot.panel == panel.key:
            tiles[axial(node.spot, chart.grid)].nodes.append(node)
    return dict(tiles)


@dataclass(frozen=True, slots=True)
class _Chip:
    """The box of units that are not in the middle of their hex, for example at a corner."""

    row: Row
    x: float
    y: float

    @property
    def half(self) -> float:
        """Half the width of the box."""
        return self.row.width / 2 + 3

    def shapes(self) -> Iterator[Shape]:
        """Yield the box and the units."""
        left, top = round(self.x - self.half), round(self.y - _CHIP / 2)
        yield Box(left, top, ceil(2 * self.half), _CHIP, PAPER, INK)
        yield from self.row.shapes(self.x, self.y)


@dataclass(frozen=True, slots=True)
class HexMap:
    """A panel of hexes; *corner* is the middle of its leftmost and its top hex, in the plane."""

    chart: Chart
    panel: Panel
    lettering: Lettering
    ranges: Sequence[Reached]
    scale: int
    tiles: Mapping[Hex, Tile]
    corner: Point
    width: int
    height: int

    @property
    def title(self) -> str:
        """The title of the panel."""
        return self.panel.title

    def shapes(self, left: int, top: int) -> Iterator[Shape]:
        """Yield the hexes, the ways between them, the borders of ranges, and the labels."""
        at = {tile: self._pixels(middle(tile, self.chart.grid), left, top) for tile in self.tiles}
        yield from (self._hex(*at[each], tile) for each, tile in self._sorted(places=False))
        yield from self._ways(left, top)
        yield from (self._hex(*at[each], tile) for each, tile in self._sorted(places=True))
        for reached in self.ranges:
            yield from self._border(reached, at)
        chips = list(self._chips(left, top))
        jumps = self._jumps()
        for each, tile in sorted(self.tiles.items()):
            yield from self._label(*at[each], tile, jumps, chips)
        for chip in chips:
            yield from chip.shapes()

    def _sorted(self, *, places: bool) -> list[tuple[Hex, Tile]]:
        return sorted(
            (each for each in self.tiles.items() if bool(each[1].nodes) is places),
            key=lambda each: each[0],
        )

    def _pixels(self, spot: Point, left: float, top: float) -> Point:
        across, down = _half(self.scale, self.chart.grid)
        x, y = (spot[0] - self.corner[0]) * self.scale, (spot[1] - self.corner[1]) * self.scale
        return left + x + across, top + y + down

    def _hex(self, x: float, y: float, tile: Tile) -> Path:
        sighting = tile.nodes[0].sighting if tile.nodes else tile.sighting
        fill, edge, dash = LOOKS[sighting]
        edge = edge if tile.nodes else LINE
        if tile.owner:
            fill, edge = self.lettering.liveries.get(tile.owner, NOBODY).colour, INK
        wide = OWN if self.chart.is_of_reader(tile.owner) else 1
        size = self.scale - (2 * _INSET + wide - 1) / RADIUS / 2
        corners = (corner(number, self.chart.grid) for number in range(6))
        points = tuple((x + right * size, y + down * size) for right, down in corners)
        return Path(points, fill, edge, wide, dash)

    def _ways(self, left: int, top: int) -> Iterator[Shape]:
        spots = {node.key: node.spot for node in self.chart.nodes}
        for link in self.chart.links:
            ends = [spots.get(link.one), spots.get(link.other)]
            here = [end for end in ends if end is not None and end.panel == self.panel.key]
            if link.kind is LinkKind.WAY and len(here) == 2:
                one, other = (self._pixels((end.x, end.y), left, top) for end in here)
                yield stroke(one, other, FAINT, 2)

    def _jumps(self) -> dict[str, list[Paragraph]]:
        found: defaultdict[str, list[Paragraph]] = defaultdict(list)
        for link in self.chart.links:
            if link.kind is LinkKind.JUMP:
                found[link.one].append(jump(link.other))
        return found

    def _border(self, reached: Reached, at: Mapping[Hex, Point]) -> Iterator[Shape]:
        area = inside(reached, self.chart, self.panel, self.tiles.keys())
        grid = self.chart.grid
        for each, direction in border(area, self.tiles.keys()):
            x, y = at[each]
            ends = [corner(number, grid) for number in (direction, direction + 1)]
            one, other = ((x + a * self.scale, y + b * self.scale) for a, b in ends)
            yield stroke(one, other, reached.colour, 2, reached.dash)

    def _chips(self, left: int, top: int) -> Iterator[_Chip]:
        there: dict[Spot, list[Unit]] = {}
        for node in self.chart.nodes:
            for unit in node.units:
                if unit.spot is not None and unit.spot.panel == self.panel.key:
                    there.setdefault(unit.spot, []).append(unit)
        for spot, units in there.items():
            tokens = tuple(self.lettering.token(unit) for unit in units)
            yield _Chip(Row(-_CHIP / 2, _CHIP, tokens), *self._pixels((spot.x, spot.y), left, top))

    def _label(
        self,
        x: float,
        y: float,
        tile: Tile,
        jumps: Mapping[str, Sequence[Paragraph]],
        chips: Iterable[_Chip],
    ) -> Iterator[Shape]:
        near = [chip for chip in chips if hypot(chip.x - x, chip.y - y) < self.scale]
        frame = self._frame(x, y, tile.name, near)
        if tile.nodes:
            rows = self.lettering.label(tile.nodes, jumps, frame)
        else:
            rows = frame.fitted([named(tile.name, frame.widest)]) or ()
        for row in rows:
            yield from row.shapes(x, y)

    def _frame(self, x: float, y: float, name: str, chips: Sequence[_Chip]) -> Frame:
        grid = self.chart.grid
        highest = (RADIUS if grid is Grid.POINTY_HEXES else 0.5) * self.scale - _MARGIN

        def room(above: float, below: float) -> float:
            wide = half_width(max(abs(above), abs(below)) / self.scale, grid) * self.scale - _MARGIN
            for chip in chips:
                if chip.y - _CHIP / 2 < y + below + 1 and chip.y + _CHIP / 2 > y + above - 1:
                    wide = min(wide, abs(chip.x - x) - chip.half - 1)
            return max(0.0, wide)

        widest = 2 * (half_width(8 / self.scale, grid) * self.scale - _MARGIN)
        return Frame(-highest, highest, widest, room, name)


def hexes(
    chart: Chart, panel: Panel, lettering: Lettering, ranges: Sequence[Reached], scale: int
) -> HexMap:
    """Return a panel of a map on hexes."""
    tiles = tiles_of(chart, panel)
    middles = [middle(at, chart.grid) for at in tiles] or [(0.0, 0.0)]
    left, top = (min(each[axis] for each in middles) for axis in (0, 1))
    right, bottom = (max(each[axis] for each in middles) for axis in (0, 1))
    across, down = _half(scale, chart.grid)
    size = ceil((right - left) * scale + 2 * across), ceil((bottom - top) * scale + 2 * down)
    return HexMap(chart, panel, lettering, ranges, scale, tiles, (left, top), *size)


def _half(scale: int, grid: Grid) -> Point:
    """Return the room to each side of the middle of a hex at the edge of a panel."""
    long, short = scale * RADIUS + _CHIP / 2 + 2, scale / 2 + _EDGE
    return (long, short) if grid is Grid.FLAT_HEXES else (short, long)
