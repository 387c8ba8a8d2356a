"""Sectors in oblique coordinates, and the frame in which an empire writes them (RULES 3.0)."""

from collections.abc import Iterator
from dataclasses import dataclass

Sector = tuple[int, int]
"""Oblique and y: the oblique coordinate grows to the east, y to the north."""

CENTRE: Sector = (0, 0)


def distance(one: Sector, other: Sector) -> int:
    """Return the distance between two sectors."""
    oblique, y = other[0] - one[0], other[1] - one[1]
    return max(abs(oblique), abs(y), abs(oblique - y))


def disk(centre: Sector, radius: int) -> Iterator[Sector]:
    """Return the 3r²+3r+1 sectors at most *radius* away, ordered by their coordinates."""
    for oblique in range(-radius, radius + 1):
        for y in range(max(-radius, oblique - radius), min(radius, oblique + radius) + 1):
            yield centre[0] + oblique, centre[1] + y


def ring(radius: int) -> list[Sector]:
    """Return the sectors exactly *radius* from the centre, clockwise from due north."""
    if radius == 0:
        return [CENTRE]
    steps = ((1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1), (1, 1))
    at, found = (0, radius), []
    for oblique, y in steps:
        for _ in range(radius):
            found.append(at)
            at = at[0] + oblique, at[1] + y
    return found


def written(sector: Sector) -> str:
    """Return a sector as orders and reports write it: ``(3,-1)``."""
    return f"({sector[0]},{sector[1]})"


@dataclass(frozen=True, slots=True)
class Frame:
    """An empire's coordinate frame: moved, turned by steps of 60 degrees, and mirrored.

    It stays the same for the whole game and is secret from other empires.
    """

    oblique: int = 0
    y: int = 0
    rotation: int = 0
    """0 to 5 steps."""
    horizontal: bool = False
    vertical: bool = False

    def local(self, sector: Sector) -> Sector:
        """Return a galactic sector in this frame."""
        here = _turned((sector[0] + self.oblique, sector[1] + self.y), self.rotation)
        if self.vertical:
            here = -here[0], here[1] - here[0]
        if self.horizontal:
            here = here[0], here[0] - here[1]
        return here

    def galactic(self, sector: Sector) -> Sector:
        """Return the galactic sector that this frame calls *sector*: the inverse of ``local``."""
        here = sector
        if self.horizontal:
            here = here[0], here[0] - here[1]
        if self.vertical:
            here = -here[0], here[1] - here[0]
        here = _turned(here, (6 - self.rotation) % 6)
        return here[0] - self.oblique, here[1] - self.y


def _turned(sector: Sector, steps: int) -> Sector:
    oblique, y = sector
    for _ in range(steps):
        oblique, y = y, y - oblique
    return oblique, y
