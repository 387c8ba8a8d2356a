"""An empire as its robot sees it: its worlds and ships, the worlds and ships of others."""

from collections import defaultdict
from typing import Final

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.hulls import ONE_SHOT, Hull, ShipClass
from referee.rulesets.star_empires.knowledge import (
    Sighted,
    Strangers,
    chart_of,
    chart_status,
    knows_class,
    sighted,
    strangers,
)
from referee.rulesets.star_empires.sectors import Sector, distance
from referee.rulesets.star_empires.state import KnownWorld, Ship, Sighting, State, World

_GARRISON: Final = 12
"""The DP that a foreign world is expected to have if nobody sees it."""
_STARBASE: Final = 200
"""The DP that a foreign homeworld is expected to have besides."""
_UNKNOWN: Final = 8
"""The DP that an unidentified ship is expected to have."""
_GROWTH: Final = 8
"""The DP that a homeworld is expected to add in each of its first turns."""
_GROWN: Final = 25
"""The turn after which garrisons are not expected to grow."""
_DENSITY: Final = 3
"""The DP that a ship of an unknown class is expected to have for each tonne."""


class Realm:
    """An empire as it knows itself; nothing in it depends on facts hidden from the empire."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat, self.empire = state, seat, state.empires[seat]
        self.chart = chart_of(self.empire)
        self.fleet = sorted(state.fleet(seat), key=lambda ship: ship.number)
        self.worlds = sorted(state.worlds_of(seat), key=self._from_home)
        self.storms = {storm.at for storm in self.empire.storms.values() if storm.intensity}
        self.here: defaultdict[Sector, list[Ship]] = defaultdict(list)
        for ship in self.fleet:
            self.here[ship.at].append(ship)
        self.foes: defaultdict[Sector, list[Sighted]] = defaultdict(list)
        for each in sighted(state, seat):
            self.foes[each.ship.at].append(each)
        self.unknown = strangers(state, seat)
        self.busy: set[int] = set()
        """The ships that have orders already."""

    def _from_home(self, world: World) -> tuple[int, str]:
        return distance(world.at, self.empire.home), world.name

    @property
    def home(self) -> World | None:
        """The homeworld, or the next best own world, or None."""
        return self.worlds[0] if self.worlds else None

    def local(self, at: Sector) -> Sector:
        """Return a sector in the coordinates of the empire."""
        return self.empire.frame.local(at)

    def kind(self, ship: Ship) -> ShipClass:
        """Return the class of an own ship."""
        return self.state.kind(ship)

    def free_ships(self) -> list[Ship]:
        """Return the ships that fly and have no orders yet."""
        return [
            ship
            for ship in self.fleet
            if ship.number not in self.busy and not ship.loaded and self.state.engines_to_move(ship)
        ]

    def reach(self, ship: Ship) -> int:
        """Return how many sectors a ship moves."""
        return self.state.engines_to_move(ship)

    def foreign(self) -> list[KnownWorld]:
        """Return the known worlds of other empires."""
        return [each for each in self._known() if each.owner not in (None, self.seat)]

    def free_worlds(self) -> list[KnownWorld]:
        """Return the known worlds without an owner that a ship without escort can take."""
        return [
            each
            for each in self._known()
            if each.owner is None and each.at not in self.storms and not self.foes.get(each.at)
        ]

    def _known(self) -> list[KnownWorld]:
        return sorted(self.empire.worlds.values(), key=lambda world: world.name)

    def is_visible(self, at: Sector) -> bool:
        """Return whether the empire sees every ship in a sector."""
        return chart_status(self.chart, at) is Sighting.VISIBLE

    def dp_at(self, at: Sector) -> int:
        """Return the DP of the foreign ships in sight in a sector, with a guess if unknown."""
        return sum(self._dp(each) for each in self.foes.get(at, ()))

    def _dp(self, each: Sighted) -> int:
        if each.close and knows_class(self.state, self.seat, each.ship):
            return each.ship.dp
        return _DENSITY * self.state.kind(each.ship).tonnage

    def guns_at(self, at: Sector) -> int:
        """Return the guns of the foreign ships in sight in a sector, with a guess if unknown."""
        return sum(
            self.state.guns(each.ship)
            if each.close and knows_class(self.state, self.seat, each.ship)
            else _DENSITY * self.state.kind(each.ship).tonnage
            for each in self.foes.get(at, ())
        )

    def defence(self, world: KnownWorld) -> int:
        """Return the DP that are expected at a foreign world."""
        if self.is_visible(world.at):
            return self.dp_at(world.at)
        base = _STARBASE if world.homeworld else 0
        if chart_status(self.chart, world.at) is Sighting.SCANNED:
            others = self.unknown.get(world.at, Strangers(0, 0)).number
            return max(self.dp_at(world.at), base) + _UNKNOWN * others
        grown = min(self.state.turn, _GROWN) * (_GROWTH if world.homeworld else 1)
        return max(self.dp_at(world.at), _GARRISON + base + grown)

    def owners_at(self, at: Sector) -> tuple[str, ...]:
        """Return the names of the empires whose ships are in sight in a sector."""
        seats = sorted({each.ship.owner for each in self.foes.get(at, ())})
        return tuple(self.state.empires[seat].name for seat in seats)

    def holds(self, ship: Ship) -> bool:
        """Return whether a ship can hold a world, once it is off its carrier."""
        return self.kind(ship).hull not in ONE_SHOT and self.state.guns(ship) > 0

    def wings(self, at: Sector) -> list[Ship]:
        """Return the own wings in a sector that no ship carries."""
        return [s for s in self.here[at] if self.kind(s).hull is Hull.WING and not s.loaded]

    def is_needed(self, ship: Ship) -> bool:
        """Return whether an own world would have no garrison without this ship."""
        if not any(world.at == ship.at for world in self.worlds):
            return False
        return not any(
            self.holds(each)
            and each.number not in self.busy
            and each is not ship
            and not each.loaded
            for each in self.here[ship.at]
        )
