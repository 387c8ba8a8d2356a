"""Regions of the map: sectors that lie together, drawn apart from those far away."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from referee.rules.spots import flat
from referee.rules.views import Panel, Spot
from referee.rulesets.star_empires.sectors import Frame, Sector, disk, distance, written

_GAP: Final = 4
"""The distance up to which two sectors belong to one region."""


@dataclass(frozen=True, slots=True)
class Regions:
    """The panels of a map, and the one in which each sector is drawn."""

    frame: Frame
    panels: tuple[Panel, ...]
    of: Mapping[Sector, str]

    def spot(self, at: Sector) -> Spot:
        """Return the spot of a sector; the first coordinate grows to the east, y to the north."""
        oblique, y = self.frame.local(at)
        return flat(oblique, -y, self.of[at])


def regions_of(frame: Frame, home: Sector, sectors: Iterable[Sector]) -> Regions:
    """Return the regions of *sectors*, that of the home first."""
    parts = _parts(set(sectors))
    parts.sort(key=lambda part: min((distance(home, at), frame.local(at)) for at in part))
    panels, of = [], {}
    for number, part in enumerate(parts, 1):
        middle = _middle(part, home if number == 1 and home in part else None)
        title = f"Around {written(frame.local(middle))}" if len(parts) > 1 else ""
        panels.append(Panel(str(number), title))
        of.update(dict.fromkeys(part, str(number)))
    return Regions(frame, tuple(panels), of)


def _parts(left: set[Sector]) -> list[set[Sector]]:
    """Return the sectors in sets that are farther apart than the gap."""
    parts = []
    while left:
        part: set[Sector] = set()
        edge = [min(left)]
        left.discard(edge[0])
        while edge:
            at = edge.pop()
            part.add(at)
            near = [other for other in disk(at, _GAP) if other in left]
            left.difference_update(near)
            edge += near
        parts.append(part)
    return parts


def _middle(part: set[Sector], home: Sector | None) -> Sector:
    """Return the home, or the sector nearest to the middle of a region."""
    if home is not None:
        return home
    oblique, y = (sum(at[axis] for at in part) // len(part) for axis in (0, 1))
    return min(part, key=lambda at: (distance(at, (oblique, y)), at))
