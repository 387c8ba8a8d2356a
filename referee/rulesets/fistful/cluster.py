"""The star map generator: mirrored, connected, with several good homeworlds in both zones."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from referee.rules.dice import Dice
from referee.rules.hexes import Hex, distance, neighbours
from referee.rulesets.fistful.state import LINE, Star

ROWS, COLUMNS = 32, 16
PAIRS: Final = 22
CAPACITIES: Final = (5, 5, 5, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1)
NORTH: Final = range(1, 11)
"""The rows of the northern home zone."""
SOUTH: Final = range(23, 33)
_HOME_STARS: Final = 10
_RICH: Final = 5


def make_cluster(dice: Dice) -> dict[int, Star]:
    """Return 44 stars by their numbers, numbered from north to south.

    Every star has a mirror image at 180 degrees with the same capacity. Transport lines connect
    all stars. Both home zones have at least two rich stars with good neighbours.
    """
    for attempt in range(10_000):
        pairs = _places(dice.at("places", attempt))
        if not _is_fit(pairs):
            continue
        for deal in range(200):
            capacities = dice.at("capacities", attempt, deal).shuffled(CAPACITIES)
            stars = _numbered(pairs, capacities)
            if _has_choices(stars):
                return stars
    raise AssertionError("no valid cluster was found; a few attempts should be enough")


def _places(dice: Dice) -> list[Hex]:
    """Return one hex of each mirrored pair; each is two or three hexes from an earlier one."""
    first = dice.pick([at for at in _all() if distance(at, mirror(at)) in (2, LINE)])
    pairs = [first]
    while len(pairs) < PAIRS:
        stars = _with_mirrors(pairs)
        chosen = dice.shuffled(stars)[:3]
        centre = min(chosen, key=lambda at: (_degree(at, stars), chosen.index(at)))
        taken = set[Hex]().union(*map(_beside, stars))
        free = [at for at in _near(centre) if at not in taken]
        if free:
            pairs.append(dice.pick(free))
    return pairs


@cache
def _beside(star: Hex) -> frozenset[Hex]:
    return frozenset((star, *neighbours(star)))


@cache
def _near(centre: Hex) -> tuple[Hex, ...]:
    """Return the hexes near *centre* where a star and its mirror image fit."""
    fit = (at for at in _all() if distance(at, mirror(at)) >= 2)
    return tuple(at for at in fit if distance(at, centre) in (2, LINE))


def mirror(at: Hex) -> Hex:
    """Return the hex at 180 degrees; distances stay the same."""
    return Hex(ROWS + 1 - at.row, COLUMNS + 1 - at.column)


@cache
def _all() -> tuple[Hex, ...]:
    return tuple(Hex(row, column) for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1))


def _with_mirrors(pairs: Sequence[Hex]) -> list[Hex]:
    return [at for pair in pairs for at in (pair, mirror(pair))]


def _degree(at: Hex, stars: Sequence[Hex]) -> int:
    return sum(0 < distance(at, star) <= LINE for star in stars)


def _is_fit(pairs: Sequence[Hex]) -> bool:
    """Return whether the home zones have enough stars and reach the edge of the map."""
    rows = [at.row for at in _with_mirrors(pairs)]
    return sum(row in NORTH for row in rows) >= _HOME_STARS and min(rows) <= 3


def _numbered(pairs: Sequence[Hex], capacities: Sequence[int]) -> dict[int, Star]:
    found = {}
    for pair, capacity in zip(pairs, capacities, strict=True):
        found[pair] = found[mirror(pair)] = capacity
    return {
        number: Star(number, at.row, at.column, found[at])
        for number, at in enumerate(sorted(found), 1)
    }


def _has_choices(stars: dict[int, Star]) -> bool:
    return all(
        sum(_is_rich(star, stars) for star in stars.values() if star.row in zone) >= 2
        for zone in (NORTH, SOUTH)
    )


def _is_rich(star: Star, stars: dict[int, Star]) -> bool:
    near = [
        other.capacity
        for other in stars.values()
        if other is not star and distance(star.at, other.at) <= LINE
    ]
    return star.capacity == _RICH and len(near) >= 3 and sum(near) >= 7
