"""Hexes of a map in axial coordinates: middles, corners, distances, and borders of ranges."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import product
from math import cos, pi, sin, sqrt
from typing import Final

from referee.reports.shapes import Dash
from referee.rules.spots import axial
from referee.rules.views import Area, Chart, Grid, Panel, Spot

Hex = tuple[int, int]
"""A hex in axial coordinates."""
STEPS: Final[Sequence[Hex]] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The steps to the neighbours: the edge to each is between its corner and the next one."""
RADIUS: Final = 1 / sqrt(3)
"""The distance of a corner from the middle, if neighbours are 1 apart."""
GRIDS: Final = frozenset({Grid.POINTY_HEXES, Grid.FLAT_HEXES})
_ROW: Final = sqrt(3) / 2
_CLOSE: Final = 0.01


def middle(at: Hex, grid: Grid) -> tuple[float, float]:
    """Return the middle of a hex in the plane."""
    q, r = at
    return (q * _ROW, r + q / 2) if grid is Grid.FLAT_HEXES else (q + r / 2, r * _ROW)


def corner(number: int, grid: Grid) -> tuple[float, float]:
    """Return a corner relative to the middle of its hex, clockwise from the east."""
    angle = (number - (0.5 if grid is Grid.POINTY_HEXES else 0)) * pi / 3
    return RADIUS * cos(angle), RADIUS * sin(angle)


def apart(one: Hex, other: Hex) -> int:
    """Return the distance between two hexes."""
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def half_width(down: float, grid: Grid) -> float:
    """Return how far a hex reaches to each side at a height, if neighbours are 1 apart."""
    if grid is Grid.FLAT_HEXES:
        return RADIUS - abs(down) / sqrt(3)
    return min(0.5, (RADIUS - abs(down)) * sqrt(3))


def hexes_of(area: Area, grid: Grid) -> Iterator[Hex]:
    """Yield the hexes with their middles in an area."""
    sides = (area.left, area.right), (area.top, area.bottom)
    ends = [axial(Spot("", x, y), grid) for x, y in product(*sides)]
    for q in range(min(q for q, _ in ends) - 1, max(q for q, _ in ends) + 2):
        for r in range(min(r for _, r in ends) - 1, max(r for _, r in ends) + 2):
            x, y = middle((q, r), grid)
            across = area.left - _CLOSE <= x <= area.right + _CLOSE
            if across and area.top - _CLOSE <= y <= area.bottom + _CLOSE:
                yield q, r


MOVES: Final = "within one move of your units"
_LOOKS: Final[tuple[tuple[str, Dash], ...]] = (
    ("#0b4f9c", (3, 4)), ("#8a1c4a", (9, 4)), ("#2b6a1d", (9, 3)), ("#5f3dc4", (14, 4)),
)  # fmt: skip
"""The colours and dashes of borders, the movement of units first."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A range with its look: each spot in it and how far it reaches."""

    title: str
    colour: str
    dash: Dash
    around: Mapping[Spot, int]


def ranges(chart: Chart) -> tuple[Reached, ...]:
    """Return how far the reader's units move, and the ranges of the map."""
    spots = {node.key: node.spot for node in chart.nodes}
    moves: dict[Spot, int] = {}
    for node in chart.nodes:
        own = [unit.reach for unit in node.units if chart.owners[:1] == (unit.owner,)]
        if node.spot is not None and max(own, default=0) > 0:
            moves[node.spot] = max(*own, moves.get(node.spot, 0))
    found = [(MOVES, moves)] if moves else []
    for each in chart.ranges:
        around = [spot for key in each.around if (spot := spots.get(key)) is not None]
        found.append((each.title, dict.fromkeys(around, each.reach)))
    looks = (_LOOKS if moves else _LOOKS[1:]) * len(found)
    return tuple(
        Reached(title, colour, dash, around)
        for (title, around), (colour, dash) in zip(found, looks, strict=False)
        if around
    )


def inside(reached: Reached, chart: Chart, panel: Panel, hexes: Set[Hex]) -> frozenset[Hex]:
    """Return the hexes of a panel that are in a range."""
    panels = {each.key: each for each in chart.panels}
    centres = []
    for spot, reach in reached.around.items():
        there = panels[spot.panel]
        if there.plane == panel.plane and abs(there.level - panel.level) <= reach:
            centres.append((axial(spot, chart.grid), reach))
    return frozenset(
        at for at in hexes if any(apart(at, centre) <= reach for centre, reach in centres)
    )


def border(area: frozenset[Hex], hexes: Set[Hex]) -> Iterator[tuple[Hex, int]]:
    """Yield the edges between an area and the other *hexes*: a hex of the area and a direction."""
    for at in sorted(area):
        for direction, (q, r) in enumerate(STEPS):
            other = at[0] + q, at[1] + r
            if other in hexes and other not in area:
                yield at, direction
