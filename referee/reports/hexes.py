"""Hexes of a map in axial coordinates: their middles, corners, neighbours and distances."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import cos, pi, sin, sqrt
from typing import Final

from referee.rules.spots import axial
from referee.rules.views import Area, Grid, Spot

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
