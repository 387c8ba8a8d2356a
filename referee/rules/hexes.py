"""Hexes with a point on top, in rows and columns: distances, directions and neighbours.

Rows and columns count from 1. Every second row is half a hex further to the right ("odd-r" when
rows are counted from 0). Directions are 1 north-east, 2 east, 3 south-east, 4 south-west, 5 west
and 6 north-west; 0 is none.
"""

from collections.abc import Iterator
from typing import NamedTuple


class Hex(NamedTuple):
    """A hex by its row and column."""

    row: int
    column: int


def distance(one: Hex, other: Hex) -> int:
    """Return the number of steps from one hex to the other."""
    across, down = _axial(one), _axial(other)
    dq, dr = down[0] - across[0], down[1] - across[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def step(at: Hex, direction: int) -> Hex:
    """Return the hex next to another in a direction; 0 means the same hex.

    Raises ValueError if there is no such direction.
    """
    if direction not in _STEPS:
        raise ValueError(f"there is no direction {direction}")
    q, r = _axial(at)
    dq, dr = _STEPS[direction]
    return _offset(q + dq, r + dr)


def neighbours(at: Hex) -> Iterator[Hex]:
    """Yield the six hexes around one, clockwise from the north-east."""
    return (step(at, direction) for direction in range(1, 7))


_STEPS = {0: (0, 0), 1: (1, -1), 2: (1, 0), 3: (0, 1), 4: (-1, 1), 5: (-1, 0), 6: (0, -1)}


def _axial(at: Hex) -> tuple[int, int]:
    row, column = at.row - 1, at.column - 1
    return column - (row - (row & 1)) // 2, row


def _offset(q: int, r: int) -> Hex:
    return Hex(r + 1, q + (r - (r & 1)) // 2 + 1)
