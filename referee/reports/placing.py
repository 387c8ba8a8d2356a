"""The layout of a map on a grid, turn by turn; a place that is drawn never moves."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count, product
from math import sqrt
from typing import Final

from referee.rules.views import Chart, Link

_REACH: Final = 8
"""The most rows of a link that is drawn; a longer one would only hide others."""
_APART: Final = 2
"""The rows between neighbours when there is room."""
_PASSES: Final = 3
_FINALISTS: Final = 6
_CLOSE: Final = 4
"""The distance within which places push each other away."""
_BUCKET: Final = 4
_CROSSING: Final = 3.0
_COVERING: Final = 9.0
_SQUEEZED: Final = (4, 9)
"""The label of a place is wider than high: three columns are as wide as two rows are high."""


def _square(right: int, down: int) -> float:
    """Return the square of a distance in rows."""
    part, whole = _SQUEEZED
    return right * right * part / whole + down * down


_AROUND: Final = tuple(
    (right, down)
    for right in range(-6, 7)
    for down in range(-4, 5)
    if 1.5 < _square(right, down) < 18
)
_CROWD: Final = tuple(
    (right, down, round(5000 / _square(right, down)))
    for right in range(-6, 7)
    for down in range(-_CLOSE, _CLOSE + 1)
    if (right, down) != (0, 0)
)


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A cell of the grid: columns to the right, rows down."""

    column: int
    row: int


def cells(chart: Chart) -> Mapping[str, Cell]:
    """Return a separate cell for each place, near the places it is linked with.

    The cell of a place depends only on what was known when the place was learned of.
    """
    return _cells(tuple((node.key, node.since) for node in chart.nodes), chart.links)


@lru_cache(maxsize=4)
def _cells(since: tuple[tuple[str, int], ...], every: tuple[Link, ...]) -> Mapping[str, Cell]:
    """Return the cells, once for maps that differ only in what is at the places."""
    grid = _Grid()
    keys = {key for key, _ in since}
    links = [link for link in every if {link.one, link.other} <= keys]
    for turn in sorted({learned for _, learned in since}):
        grid.add_links([link for link in links if link.since <= turn])
        grid.place_nodes([key for key, learned in since if learned == turn])
    return grid.cells


def natural(key: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts W9 before W10."""
    return tuple(
        (int(part[:18]), "") if part.isascii() and part.isdigit() else (-1, part)
        for part in re.split(r"([0-9]+)", key)
    )


_Segment = tuple[Cell, Cell]


@dataclass(slots=True)
class _Grid:
    """The map under construction."""

    cells: dict[str, Cell] = field(default_factory=dict)
    _taken: set[tuple[int, int]] = field(default_factory=set)
    _crowd: dict[tuple[int, int], int] = field(default_factory=dict)
    """How hard nearby places push at each cell, in thousandths."""
    _neighbours: dict[str, list[str]] = field(default_factory=dict)
    _buckets: dict[tuple[int, int], dict[_Segment, int]] = field(default_factory=dict)
    _known: set[tuple[str, str]] = field(default_factory=set)

    def add_links(self, links: Iterable[Link]) -> None:
        """Add the new links, each one once, in whichever direction it is written."""
        for link in links:
            one, other = sorted((link.one, link.other), key=natural)
            if one == other or (one, other) in self._known:
                continue
            self._known.add((one, other))
            self._neighbours.setdefault(one, []).append(other)
            self._neighbours.setdefault(other, []).append(one)
            if one in self.cells and other in self.cells:
                self._draw(self.cells[one], self.cells[other], 1)

    def place_nodes(self, keys: Iterable[str]) -> None:
        """Place new places on cells; only new ones can still move to make room for each other."""
        unplaced = sorted({*keys} - self.cells.keys(), key=natural)
        new = list(unplaced)
        while unplaced:
            key = max(unplaced, key=lambda key: len(self._placed(key)))
            unplaced.remove(key)
            self._put(key, self._best(key))
        for _ in range(_PASSES):
            moved = [key for key in new if self._improve(key)]
            if not moved:
                break

    def _improve(self, key: str) -> bool:
        """Move a place to a better cell, and return whether there was one."""
        before = self._remove(key)
        self._put(key, self._best(key, before))
        return self.cells[key] != before

    def _placed(self, key: str) -> list[Cell]:
        return [self.cells[n] for n in self._neighbours.get(key, ()) if n in self.cells]

    def _put(self, key: str, cell: Cell) -> None:
        for there in self._placed(key):
            self._draw(cell, there, 1)
        self.cells[key] = cell
        self._taken.add((cell.column, cell.row))
        self._push(cell, 1)

    def _remove(self, key: str) -> Cell:
        cell = self.cells.pop(key)
        self._taken.remove((cell.column, cell.row))
        self._push(cell, -1)
        for there in self._placed(key):
            self._draw(cell, there, -1)
        return cell

    def _push(self, cell: Cell, times: int) -> None:
        """Make a place push others away, or stop pushing (-1)."""
        for right, down, push in _CROWD:
            there = (cell.column + right, cell.row + down)
            self._crowd[there] = self._crowd.get(there, 0) + times * push
            if self._crowd[there] == 0:
                del self._crowd[there]

    def _best(self, key: str, *others: Cell) -> Cell:
        placed = self._placed(key)
        choices = {*self._free(placed), *others}
        nearest = sorted((self._distance_cost(cell, placed), cell) for cell in choices)[:_FINALISTS]
        return min((cost + self._crossing_cost(cell, placed), cell) for cost, cell in nearest)[1]

    def _free(self, placed: list[Cell]) -> Iterator[Cell]:
        """Yield free cells around *placed*, or else one with nothing around it."""
        found = False
        for here in (*placed, *_middle(placed)):
            for right, down in _AROUND:
                there = (here.column + right, here.row + down)
                if self._is_free(*there):
                    found = True
                    yield Cell(*there)
        if not found:
            used = self._taken | self._crowd.keys()
            yield next(cell for cell in _outwards() if (cell.column, cell.row) not in used)

    def _is_free(self, column: int, row: int) -> bool:
        """Return whether the cell is empty and no place on its sides would overlap it."""
        return not any((column + aside, row) in self._taken for aside in (-1, 0, 1))

    def _distance_cost(self, cell: Cell, placed: list[Cell]) -> float:
        """Return how bad a cell is: far from its neighbours, in a crowd."""
        cost = 0.0
        for there in placed:
            right, down = there.column - cell.column, there.row - cell.row
            off = sqrt(_square(right, down)) - _APART
            cost += off * off if off < _APART else _APART * off
        return cost + self._crowd.get((cell.column, cell.row), 0) / 1000

    def _crossing_cost(self, cell: Cell, placed: list[Cell]) -> float:
        """Return how bad a cell is: links that cross links, places that cover links."""
        tangle = 0.0
        for there in placed:
            if not is_near(cell, there):
                continue
            tangle += _COVERING * sum(
                _covers(place, cell, there) for place in self._between(cell, there)
            )
            tangle += _CROSSING * sum(
                cross(cell, there, one, other) for one, other in self._lines(cell, there)
            )
        upon = sum(_covers(cell, one, other) for one, other in self._lines(cell, cell))
        return tangle + _COVERING * upon

    def _between(self, one: Cell, other: Cell) -> Iterator[Cell]:
        for column in range(min(one.column, other.column), max(one.column, other.column) + 1):
            for row in range(min(one.row, other.row), max(one.row, other.row) + 1):
                if (column, row) in self._taken:
                    yield Cell(column, row)

    def _lines(self, one: Cell, other: Cell) -> set[_Segment]:
        lines: set[_Segment] = set()
        for bucket in _buckets(one, other):
            lines.update(self._buckets.get(bucket, ()))
        return lines

    def _draw(self, one: Cell, other: Cell, times: int) -> None:
        """Draw a link, or remove it (-1)."""
        if not is_near(one, other):
            return
        segment = (min(one, other), max(one, other))
        for bucket in _buckets(one, other):
            lines = self._buckets.setdefault(bucket, {})
            lines[segment] = lines.get(segment, 0) + times
            if lines[segment] == 0:
                del lines[segment]


def _outwards() -> Iterator[Cell]:
    """Yield cells with room around them, ring by ring."""
    yield Cell(0, 0)
    for ring in count(1):
        square = product(range(-ring, ring + 1), repeat=2)
        border = [place for place in square if ring in (abs(place[0]), abs(place[1]))]
        for right, down in sorted(border, key=lambda place: (_square(*place), place)):
            yield Cell(7 * right, 5 * down)


def _middle(placed: list[Cell]) -> list[Cell]:
    if len(placed) < 2:
        return []
    columns, rows = (sum(cell.column for cell in placed), sum(cell.row for cell in placed))
    return [Cell(columns // len(placed), rows // len(placed))]


def is_near(one: Cell, other: Cell) -> bool:
    """Return whether two places are near enough to draw the link between them."""
    return _square(one.column - other.column, one.row - other.row) <= _REACH * _REACH


def _buckets(one: Cell, other: Cell) -> Iterator[tuple[int, int]]:
    left, right = sorted((one.column // _BUCKET, other.column // _BUCKET))
    top, bottom = sorted((one.row // _BUCKET, other.row // _BUCKET))
    for column in range(left, right + 1):
        for row in range(top, bottom + 1):
            yield column, row


def _turn(a: Cell, b: Cell, c: Cell) -> int:
    """Return twice the signed area of a triangle: zero if the points are on one line."""
    return (b.column - a.column) * (c.row - a.row) - (b.row - a.row) * (c.column - a.column)


def cross(a: Cell, b: Cell, c: Cell, d: Cell) -> bool:
    """Return whether two links cross between their ends."""
    if a in (c, d) or b in (c, d):
        return False
    return _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0


def _covers(place: Cell, one: Cell, other: Cell) -> bool:
    """Return whether the label of a place would hide the link between two others."""
    if place in (one, other):
        return False
    beside = min(one.column, other.column) <= place.column <= max(one.column, other.column)
    level = min(one.row, other.row) <= place.row <= max(one.row, other.row)
    # A label reaches nearly a column to the sides, and nearly half a row up and down.
    reach = 2 * abs(other.row - one.row) + abs(other.column - one.column)
    return beside and level and 2 * abs(_turn(one, other, place)) < reach
