"""The spots of hexes on a map, for hexes with a point on top and for those with an edge.

Both kinds are given in axial coordinates: *q* and *r* are steps along two directions, 60 degrees
apart. Each plane has its own (0, 0).
"""

from math import sqrt
from typing import Final

from referee.rules.views import Grid, Spot

_ROW: Final = sqrt(3) / 2
"""The distance between two rows of pointy hexes, or two columns of flat ones."""
_DIGITS: Final = 3


def pointy(q: int, r: int, panel: str = "") -> Spot:
    """Return the spot of a hex with a point on top: *q* steps east, then *r* south-east."""
    return _spot(panel, q + r / 2, r * _ROW)


def flat(q: int, r: int, panel: str = "") -> Spot:
    """Return the spot of a hex with an edge on top: *q* steps south-east, then *r* south."""
    return _spot(panel, q * _ROW, r + q / 2)


def axial(spot: Spot, grid: Grid) -> tuple[int, int]:
    """Return the axial coordinates of the hex nearest to a spot, on one of the two hex grids."""
    if grid is Grid.FLAT_HEXES:
        q = round(spot.x / _ROW)
        return q, round(spot.y - q / 2)
    r = round(spot.y / _ROW)
    return round(spot.x - r / 2), r


def corner(middle: Spot, number: int) -> Spot:
    """Return a corner of a pointy hex: 0 is north, and the others follow clockwise."""
    right, down = _CORNERS[number]
    return _spot(middle.panel, middle.x + right, middle.y + down)


_SIDE: Final = 1 / sqrt(3)
_CORNERS: Final = (
    (0, -_SIDE),
    (0.5, -_SIDE / 2),
    (0.5, _SIDE / 2),
    (0, _SIDE),
    (-0.5, _SIDE / 2),
    (-0.5, -_SIDE / 2),
)


def _spot(panel: str, x: float, y: float) -> Spot:
    # A report has hundreds of these: three digits are enough to draw and to measure by.
    return Spot(panel, round(x, _DIGITS) + 0.0, round(y, _DIGITS) + 0.0)
