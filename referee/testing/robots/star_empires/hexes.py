"""Sectors in a player's coordinates: distances, disks, and the next jump."""

from collections.abc import Callable, Iterator
from typing import Final

Sector = tuple[int, int]
"""Oblique and y, in the player's own coordinates."""

HOME: Final[Sector] = (0, 0)


def distance(one: Sector, other: Sector) -> int:
    """Return the number of sectors from one to the other."""
    oblique, y = other[0] - one[0], other[1] - one[1]
    return max(abs(oblique), abs(y), abs(oblique - y))


def disk(centre: Sector, radius: int) -> Iterator[Sector]:
    """Return the sectors at most *radius* away."""
    around = range(-radius, radius + 1)
    found = ((centre[0] + oblique, centre[1] + y) for oblique in around for y in around)
    return (at for at in found if distance(centre, at) <= radius)


def step(at: Sector, to: Sector, engines: int, avoid: Callable[[Sector], bool]) -> Sector:
    """Return the next sector on the way to another, or *at* if there is no safe step."""
    stops = [stop for stop in disk(at, engines) if stop == to or not avoid(stop)]
    return min(stops, key=lambda stop: (distance(stop, to), distance(at, stop), stop), default=at)


def written(at: Sector) -> str:
    """Return a sector as orders write it: ``(3,-1)``."""
    return f"({at[0]},{at[1]})"
