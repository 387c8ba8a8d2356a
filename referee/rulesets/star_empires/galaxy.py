"""The galaxy generator: a disk of sectors with worlds, wormnets, storms and nebulae."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.dice import Dice
from referee.rulesets.star_empires.names import NEBULAE, PORTALS, STORMS, WORLDS, drawn
from referee.rulesets.star_empires.sectors import CENTRE, Sector, disk, distance
from referee.rulesets.star_empires.state import Portal, Storm, World

HOME_PRODUCTION: Final = 12
NEARBY_PRODUCTION: Final = 10
"""The total production of all worlds near a homeworld."""
NEARBY_WORLDS: Final = 2
NEARBY: Final = 2
"""The distance up to which a sector is near a homeworld."""
WORLD_PRODUCTION: Final = 8
"""The production that every other world stays below."""
PORTAL_TO_PORTAL: Final = 3
PORTAL_TO_HOME: Final = 2
STORM_TO_HOME: Final = 2


@dataclass(frozen=True, slots=True)
class Shape:
    """The options of a galaxy; densities are per hundred sectors."""

    radius: int
    world_density: int
    wormnets: int
    wormnet_portals: int
    storm_density: int
    nebula_density: int
    storm_intensity: int


@dataclass(slots=True)
class Galaxy:
    """A new galaxy, with its homeworlds in the order of the seats."""

    homes: list[World]
    worlds: dict[str, World]
    portals: dict[str, Portal]
    storms: dict[str, Storm]


class Maker:
    """The galaxy generator; each choice has its own place in the dice, so none affects another."""

    def __init__(self, homes: Sequence[Sector], shape: Shape, dice: Dice) -> None:
        self._shape, self._dice = shape, dice
        self._sectors = list(disk(CENTRE, shape.radius))
        self._free = set(self._sectors)
        self._names: set[str] = set()
        self._home_sectors = homes

    def make(self) -> Galaxy:
        """Return the galaxy; worlds other than the homeworlds have no owner."""
        names = drawn(WORLDS, self._dice.at("world names"), self._names)
        homes = [
            World(next(names), at, HOME_PRODUCTION, HOME_PRODUCTION, homeworld=True)
            for at in self._home_sectors
        ]
        self._free -= set(self._home_sectors)
        places = [*self._nearby(), *self._scattered()]
        worlds = [*homes, *(World(next(names), at, production) for at, production in places)]
        return Galaxy(
            homes=homes,
            worlds={world.name: world for world in worlds},
            portals={portal.name: portal for portal in self._portals()},
            storms={storm.name: storm for storm in self._storms()},
        )

    def _nearby(self) -> Iterable[tuple[Sector, int]]:
        """Return the worlds near each homeworld; their total production is the same for all."""
        for number, home in enumerate(self._home_sectors):
            dice = self._dice.at("nearby", number)
            free = sorted(s for s in self._free if distance(home, s) <= NEARBY)
            if len(free) < NEARBY_WORLDS:
                continue
            left = NEARBY_PRODUCTION
            for others, at in enumerate(reversed(dice.shuffled(free)[:NEARBY_WORLDS])):
                worlds = NEARBY_WORLDS - others
                swing = dice.below(3) - 1 if worlds > 1 else 0
                production = max(1, left // worlds + swing)
                left -= production
                self._free.discard(at)
                yield at, production

    def _scattered(self) -> Iterable[tuple[Sector, int]]:
        """Return the worlds far from all homes."""
        for at in self._sectors:
            dice = self._dice.at("world", *at)
            near = at not in self._free or self._nearest_home(at) <= NEARBY
            if not near and dice.chance(self._shape.world_density, 100):
                self._free.discard(at)
                yield at, 1 + dice.below(WORLD_PRODUCTION - 1)

    def _portals(self) -> Iterable[Portal]:
        """Return the portals of all wormnets; in a wormnet, each leads to every other."""
        names = drawn(PORTALS, self._dice.at("portal names"), self._names)
        for number in range(self._shape.wormnets):
            dice = self._dice.at("wormnet", number)
            most = self._shape.wormnet_portals
            size = 2 + (dice.below(most - 2) if most > 2 else 0)
            net = [Portal(next(names), at) for at in self._net(size, dice)]
            for portal in net:
                portal.exits = {other.name for other in net if other is not portal}
                yield portal

    def _net(self, size: int, dice: Dice) -> list[Sector]:
        """Return the sectors of a wormnet's portals, or none if fewer than two fit."""
        net: list[Sector] = []
        for at in dice.shuffled(sorted(self._free)):
            apart = all(distance(at, other) >= PORTAL_TO_PORTAL for other in net)
            if len(net) < size and apart and self._nearest_home(at) >= PORTAL_TO_HOME:
                net.append(at)
        if len(net) < 2:
            return []
        self._free -= set(net)
        return net

    def _storms(self) -> Iterable[Storm]:
        """Return the storms and nebulae; they can share a sector with worlds and portals."""
        storms = drawn(STORMS, self._dice.at("storm names"), self._names)
        nebulae = drawn(NEBULAE, self._dice.at("nebula names"), self._names)
        for at in self._sectors:
            dice = self._dice.at("storm", *at)
            if self._nearest_home(at) < STORM_TO_HOME:
                continue
            most = self._shape.storm_intensity
            if dice.chance(self._shape.storm_density, 100):
                intensity = 1 + dice.below(most) if most else 0
                yield Storm(next(storms), at, intensity, initial=intensity)
            elif dice.chance(self._shape.nebula_density, 100):
                yield Storm(next(nebulae), at, 0)

    def _nearest_home(self, at: Sector) -> int:
        return min(distance(at, home) for home in self._home_sectors)
