"""The board: a hexagon of columns with levels, six wedges of colours, a planet in each column."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from referee.rules.dice import Dice

GRAY: Final = "-"
COLOURS: Final[Mapping[str, str]] = {
    "R": "red",
    "O": "orange",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "V": "violet",
    GRAY: "gray",
}
"""The names of the colours by their letters."""
LETTERS: Final = "ABCDEFGHI"
_TURN: Final = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The steps of the directions 1 (north-east) to 6 (north-west), in axial coordinates."""
_SHARES: Final = {
    2: (-1, 1),
    3: (-2, -1, -1, 1, 2),
    4: (-2, -2, -1, -1, 0, 1, 1, 2, 2),
}
"""The levels of the columns of a wedge except its home, by the radius of the board."""

Column = int
"""The number of a column, from 1, row by row from the north; up to 37 on the usual board."""
_Axial = tuple[int, int]


class Space(NamedTuple):
    """A space: its column and its level. The middle level is 0."""

    column: Column
    level: int


@lru_cache(maxsize=8)
def _axial(radius: int) -> dict[Column, _Axial]:
    places = [
        (q, r)
        for r in range(-radius, radius + 1)
        for q in range(max(-radius, -radius - r), min(radius, radius - r) + 1)
    ]
    return dict(enumerate(places, 1))


@lru_cache(maxsize=8)
def _numbers(radius: int) -> dict[_Axial, Column]:
    return {place: number for number, place in _axial(radius).items()}


@dataclass(frozen=True, slots=True)
class Board:
    """The size of the board: rings around its middle, and levels above and below it."""

    radius: int = 3
    highest: int = 2
    """The highest level; the lowest is as far below the middle."""

    @property
    def columns(self) -> range:
        """Return the numbers of all columns."""
        return range(1, 3 * self.radius * (self.radius + 1) + 2)

    @property
    def centre(self) -> Column:
        """Return the column in the middle."""
        return _numbers(self.radius)[0, 0]

    def spaces(self) -> Iterator[Space]:
        """Return all spaces, column by column, from the lowest level up."""
        for column in self.columns:
            for level in range(-self.highest, self.highest + 1):
                yield Space(column, level)

    def axial(self, column: Column) -> tuple[int, int]:
        """Return the place of a column in axial coordinates; direction 2, east, is (1, 0)."""
        return _axial(self.radius)[column]

    def hexes_apart(self, one: Column, other: Column) -> int:
        """Return the distance of two columns in hexes."""
        places = _axial(self.radius)
        (q, r), (p, s) = places[one], places[other]
        return max(abs(p - q), abs(s - r), abs(p - q + s - r))

    def distance(self, one: Space, other: Space) -> int:
        """Return the distance of two spaces: the greater of hexes and levels (T4)."""
        return max(self.hexes_apart(one.column, other.column), abs(one.level - other.level))

    def moved(self, at: Space, direction: int, up: int, steps: int) -> Space | None:
        """Return the space where a vector leads, or None if it is off the board (T3, T4)."""
        q, r = _axial(self.radius)[at.column]
        dq, dr = (0, 0) if direction == 0 else _TURN[direction - 1]
        column = _numbers(self.radius).get((q + dq * steps, r + dr * steps))
        level = at.level + up * steps
        return None if column is None or abs(level) > self.highest else Space(column, level)

    def written(self, at: Space) -> str:
        """Return a space as orders write it: ``12D``. The lowest level is A."""
        return f"{at.column}{LETTERS[at.level + self.highest]}"

    def wedge(self, number: int) -> list[Column]:
        """Return the columns of a wedge, 0 to 5: in each ring its corner and those clockwise of it.

        Wedge 0 begins due east. The others follow clockwise.
        """
        found = []
        for ring in range(1, self.radius + 1):
            at = _turned((ring, 0), number)
            step = _turned((-1, 1), number)
            for _ in range(ring):
                found.append(_numbers(self.radius)[at])
                at = at[0] + step[0], at[1] + step[1]
        return found

    def home(self, number: int) -> Column:
        """Return the home of a wedge, the middle of its outer row."""
        return self.wedge(number)[-self.radius :][self.radius // 2]

    def colours(self, wheel: str, *, gray_core: bool) -> dict[Column, str]:
        """Return the colour of every column.

        Each wedge has its own. The middle is gray, and so are the columns around it unless
        *gray_core* is set.
        """
        found = {self.centre: GRAY}
        for number, colour in enumerate(wheel):
            for at, column in enumerate(self.wedge(number)):
                found[column] = GRAY if at == 0 and not gray_core else colour
        return found

    def levels(self, dice: Dice) -> dict[Column, int]:
        """Return the level of every planet: equal in all wedges, upside down in every other one."""
        drawn = iter(dice.shuffled(self._shares()))
        home = self.wedge(0).index(self.home(0))
        first = [0 if at == home else next(drawn) for at in range(len(self.wedge(0)))]
        found = {self.centre: 0}
        for number in range(6):
            sign = -1 if number % 2 else 1
            for column, level in zip(self.wedge(number), first, strict=True):
                found[column] = sign * level
        return found

    def _shares(self) -> list[int]:
        return [max(-self.highest, min(self.highest, level)) for level in _SHARES[self.radius]]

    def jumps(self, dice: Dice) -> dict[Space, Space]:
        """Return where a jump from each space leads (T6).

        No jump leads back, and no two jumps lead to the same space.
        """
        here = list(self.spaces())
        attempt = 0
        while True:
            there = dice.at("jumps", attempt).shuffled(here)
            table = dict(zip(here, there, strict=True))
            if all(to != at and table[to] != at for at, to in table.items()):
                return table
            attempt += 1

    def free_jumps(self, dice: Dice) -> dict[Space, Space]:
        """Return a separately drawn jump from each space: not back, but two can end together."""
        here = list(self.spaces())
        table: dict[Space, Space] = {}
        for at in here:
            drawn = dice.at("jump", self.written(at))
            table[at] = drawn.pick([to for to in here if to != at and table.get(to) != at])
        return table


def _turned(place: _Axial, steps: int) -> _Axial:
    q, r = place
    for _ in range(steps):
        q, r = -r, q + r
    return q, r
