"""The board as a player sees it: columns of hexes with levels, and steps on it."""

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

LEVELS: Final = "ABCDEFGHI"
_STEPS: Final = ((0, 0), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
_SIGNS: Final = {1: "+", 0: "=", -1: "-"}


class Space(NamedTuple):
    """A space: its column and its level. The lowest level is 0."""

    column: int
    level: int

    @classmethod
    def read(cls, text: str) -> "Space":
        """Return the space that is written as ``12D``."""
        return cls(int(text[:-1]), LEVELS.index(text[-1]))

    def __str__(self) -> str:
        """Return the space as orders write it."""
        return f"{self.column}{LEVELS[self.level]}"


class Step(NamedTuple):
    """A step: its vector as orders write it, and the space where it ends."""

    vector: str
    to: Space


class Board:
    """A board with a number of columns and of known levels."""

    def __init__(self, columns: int, levels: int) -> None:
        self._radius = next(r for r in range(1, 9) if 3 * r * (r + 1) + 1 >= columns)
        self._levels = levels

    def apart(self, one: Space, other: Space) -> int:
        """Return the number of steps from one space to another."""
        (q, r), (p, s) = (_places(self._radius)[at.column] for at in (one, other))
        hexes = max(abs(p - q), abs(s - r), abs(p - q + s - r))
        return max(hexes, abs(one.level - other.level))

    def steps(self, at: Space, length: int = 1) -> Iterator[Step]:
        """Yield the steps of this length along one vector that stay on the board."""
        q, r = _places(self._radius)[at.column]
        numbers = _numbers(self._radius)
        for direction, (dq, dr) in enumerate(_STEPS):
            column = numbers.get((q + dq * length, r + dr * length))
            for up, sign in _SIGNS.items():
                level = at.level + up * length
                if column is not None and 0 <= level < self._levels and (direction or up):
                    yield Step(f"{direction}{sign}", Space(column, level))

    def nearer(self, at: Space, goal: Space, length: int = 1) -> Step | None:
        """Return the best step of this length towards a goal, or None if none leads nearer."""
        best = min(self.steps(at, length), key=lambda step: self.apart(step.to, goal), default=None)
        if best is None or self.apart(best.to, goal) >= self.apart(at, goal):
            return None
        return best


@cache
def _places(radius: int) -> dict[int, tuple[int, int]]:
    places = [
        (q, r)
        for r in range(-radius, radius + 1)
        for q in range(max(-radius, -radius - r), min(radius, radius - r) + 1)
    ]
    return dict(enumerate(places, 1))


@cache
def _numbers(radius: int) -> dict[tuple[int, int], int]:
    return {place: number for number, place in _places(radius).items()}
