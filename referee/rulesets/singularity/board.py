"""The board: a hexagon of 37 columns with levels, six wedges of colours, one planet a column."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from referee.rules.dice import Dice

RADIUS: Final = 3
COLUMNS: Final = 37
GRAY: Final = "-"
_TURN: Final = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The steps of the directions 1 (north-east) to 6 (north-west), in axial coordinates."""
LETTERS: Final = "ABCDEFGHI"

Column = int
"""1 to 37, row by row from the north."""


class Space(NamedTuple):
    """A space: its column, and its level, 0 in the middle."""

    column: Column
    level: int


@lru_cache(maxsize=1)
def _axial() -> dict[Column, tuple[int, int]]:
    places = [
        (q, r)
        for r in range(-RADIUS, RADIUS + 1)
        for q in range(max(-RADIUS, -RADIUS - r), min(RADIUS, RADIUS - r) + 1)
    ]
    return dict(enumerate(places, 1))


@lru_cache(maxsize=1)
def _numbers() -> dict[tuple[int, int], Column]:
    return {place: number for number, place in _axial().items()}


def hexes_apart(one: Column, other: Column) -> int:
    """Give the hexes between two columns."""
    (q, r), (p, s) = _axial()[one], _axial()[other]
    return max(abs(p - q), abs(s - r), abs(p - q + s - r))


def distance(one: Space, other: Space) -> int:
    """Give the distance of two spaces: hexes or levels, whichever is more (T4)."""
    return max(hexes_apart(one.column, other.column), abs(one.level - other.level))


def moved(at: Space, direction: int, up: int, steps: int, highest: int) -> Space | None:
    """Give where a vector leads from a space; None when that is off the board (T3, T4)."""
    q, r = _axial()[at.column]
    dq, dr = (0, 0) if direction == 0 else _TURN[direction - 1]
    column = _numbers().get((q + dq * steps, r + dr * steps))
    level = at.level + up * steps
    return None if column is None or abs(level) > highest else Space(column, level)


def spaces(highest: int) -> Iterator[Space]:
    """Give all spaces, column by column, from the lowest level up."""
    for column in range(1, COLUMNS + 1):
        for level in range(-highest, highest + 1):
            yield Space(column, level)


def written(at: Space, highest: int) -> str:
    """Write a space as orders do: ``12D``; the lowest level is A."""
    return f"{at.column}{LETTERS[at.level + highest]}"


def wedge(number: int) -> list[Column]:
    """Give the six columns of a wedge, 0 to 5: in each ring its corner and those clockwise of it.

    Wedge 0 begins due east; the next lies clockwise.
    """
    found = []
    for ring in range(1, RADIUS + 1):
        at = _turned((ring, 0), number)
        step = _turned((-1, 1), number)
        for _ in range(ring):
            found.append(_numbers()[at])
            at = at[0] + step[0], at[1] + step[1]
    return found


def home(number: int) -> Column:
    """Give the home of a wedge: the middle of its outer row."""
    return wedge(number)[-2]


CENTRE: Final = 19


def colours(wheel: str, *, gray_core: bool) -> dict[Column, str]:
    """Give the colour of every column: each wedge its own, gray in the middle and around it.

    With *gray_core* only the middle is gray.
    """
    found = {CENTRE: GRAY}
    for number, colour in enumerate(wheel):
        for at, column in enumerate(wedge(number)):
            found[column] = GRAY if at == 0 and not gray_core else colour
    return found


def levels(highest: int, dice: Dice) -> dict[Column, int]:
    """Give every column's planet a level: the same in all wedges, every other one upside down."""
    drawn = dice.shuffled(_shares(highest))
    first = [*drawn[:4], 0, drawn[4]]
    found = {CENTRE: 0}
    for number in range(6):
        sign = -1 if number % 2 else 1
        for column, level in zip(wedge(number), first, strict=True):
            found[column] = sign * level
    return found


def _shares(highest: int) -> list[int]:
    """Give the levels of the five columns of a wedge beside its home."""
    wanted = (-2, -1, -1, 1, 2)
    return [max(-highest, min(highest, level)) for level in wanted]


def jumps(highest: int, dice: Dice) -> dict[Space, Space]:
    """Give where a jump from each space leads: nowhere back, and to no space from two (T6)."""
    here = list(spaces(highest))
    attempt = 0
    while True:
        there = dice.at("jumps", attempt).shuffled(here)
        table = dict(zip(here, there, strict=True))
        if all(to != at and table[to] != at for at, to in table.items()):
            return table
        attempt += 1


def free_jumps(highest: int, dice: Dice) -> dict[Space, Space]:
    """Give a way for each space by itself: not to itself and not back, but two may end in one."""
    here = list(spaces(highest))
    table: dict[Space, Space] = {}
    for at in here:
        drawn = dice.at("jump", written(at, highest))
        table[at] = drawn.pick([to for to in here if to != at and table.get(to) != at])
    return table


def _turned(place: tuple[int, int], steps: int) -> tuple[int, int]:
    q, r = place
    for _ in range(steps):
        q, r = -r, q + r
    return q, r
