"""The Web: places linked by gates with some of their neighbours (s2)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isqrt
from typing import Final

from referee.rules.dice import Dice

SIDE: Final = 10_000
"""The side of the square with the places. Opposite sides meet, so there is no border."""
FEWEST_GATES, MOST_GATES = 2, 5
_MOST_TREE_GATES: Final = 4
_WANTED_GATES: Final = (2, 3, 3, 3, 3, 4, 4, 4, 4, 5)
"""The numbers of gates to draw from for each place."""
_REACH: Final = 5
"""A gate is at most as long as the square root of this number of mean areas of a place."""


@dataclass(frozen=True, slots=True)
class Web:
    """Places, from 0, each with the places next door, ascending. All gates lead both ways."""

    gates: tuple[tuple[int, ...], ...]

    def jumps(self, start: int, closed: Iterable[int] = ()) -> dict[int, int]:
        """Return the number of jumps from *start* to each place within reach.

        Places that are *closed* cannot be passed or reached.
        """
        jumps = {start: 0}
        barred = set(closed)
        edge = [start]
        while edge:
            edge = list(self._beyond(edge, jumps, barred))
        return jumps

    def _beyond(self, edge: list[int], jumps: dict[int, int], barred: set[int]) -> Iterator[int]:
        for place in edge:
            for gate in self.gates[place]:
                if gate not in jumps and gate not in barred:
                    jumps[gate] = jumps[place] + 1
                    yield gate

    def is_whole(self, closed: Iterable[int] = ()) -> bool:
        """Return whether every place that is not *closed* can be reached from every other."""
        barred = set(closed)
        start = next(place for place in range(len(self.gates)) if place not in barred)
        return len(self.jumps(start, barred)) == len(self.gates) - len(barred)


def spin(count: int, dice: Dice) -> Web:
    """Return a connected Web of *count* places with 2 to 5 gates each, mostly 3 or 4."""
    pairs = sorted(_pairs(_places(count, dice.at("places"))))
    weaver = _Weaver(count)
    weaver.connect(pairs)
    draw = dice.at("gates")
    wanted = [draw.pick(_WANTED_GATES) for _ in range(count)]
    reach = _REACH * SIDE * SIDE // count
    for far, one, other in pairs:
        if far > reach:
            break
        if weaver.has_fewer(one, wanted[one]) and weaver.has_fewer(other, wanted[other]):
            weaver.link(one, other)
    weaver.give_each(FEWEST_GATES, pairs)
    return Web(tuple(tuple(sorted(gates)) for gates in weaver.gates))


class _Weaver:
    """A Web under construction."""

    def __init__(self, count: int) -> None:
        self.gates: list[set[int]] = [set() for _ in range(count)]
        self._group = list(range(count))

    def link(self, one: int, other: int) -> None:
        """Link two places."""
        self.gates[one].add(other)
        self.gates[other].add(one)

    def has_fewer(self, place: int, count: int) -> bool:
        """Return whether a place has fewer gates than *count*."""
        return len(self.gates[place]) < count

    def connect(self, pairs: list[tuple[int, int, int]]) -> None:
        """Connect all places by a minimal number of short gates (Kruskal)."""
        for _, one, other in pairs:
            if self._root(one) == self._root(other):
                continue
            if self.has_fewer(one, _MOST_TREE_GATES) and self.has_fewer(other, _MOST_TREE_GATES):
                self._group[self._root(one)] = self._root(other)
                self.link(one, other)

    def give_each(self, fewest: int, pairs: list[tuple[int, int, int]]) -> None:
        """Link places that have too few gates with the nearest ones that can take one more."""
        for _, one, other in pairs:
            lacking = self.has_fewer(one, fewest) or self.has_fewer(other, fewest)
            spare = self.has_fewer(one, MOST_GATES) and self.has_fewer(other, MOST_GATES)
            if lacking and spare:
                self.link(one, other)

    def _root(self, place: int) -> int:
        while self._group[place] != place:
            self._group[place] = self._group[self._group[place]]
            place = self._group[place]
        return place


def _places(count: int, dice: Dice) -> list[tuple[int, int]]:
    """Return evenly spread places: in rows, each one moved a little at random."""
    rows = isqrt(count)
    places = []
    for row in range(rows):
        in_row = count // rows + (row < count % rows)
        for column in range(in_row):
            down = (row * SIDE + _aside(dice)) // rows
            right = (column * SIDE + _aside(dice)) // in_row
            places.append((right, down))
    return places


def _aside(dice: Dice) -> int:
    return dice.below(SIDE * 7 // 10)


def _pairs(places: list[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield each pair of places once, with the square of its distance first."""
    for one, (right, down) in enumerate(places):
        for other in range(one + 1, len(places)):
            across = abs(right - places[other][0])
            along = abs(down - places[other][1])
            across, along = min(across, SIDE - across), min(along, SIDE - along)
            yield across * across + along * along, one, other
