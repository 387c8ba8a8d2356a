"""The battles of an empire's robot: fire at visitors, and fleets that take foreign worlds."""

from collections.abc import Iterator
from typing import Final

from referee.rulesets.star_empires.hulls import Hull
from referee.rulesets.star_empires.orders import Fire, Load, Order, Unload
from referee.rulesets.star_empires.robot.pilots import go, settlers
from referee.rulesets.star_empires.robot.realm import Realm, named
from referee.rulesets.star_empires.sectors import Sector, distance
from referee.rulesets.star_empires.state import KnownWorld, Ship

_MARGIN: Final = 1.25
"""How many guns a fleet has for each DP that it expects."""
_SHADOW: Final = 2
"""The distance that settlers keep from a world which a fleet is going to attack."""


def defend(realm: Realm) -> Iterator[Order]:
    """Yield fire at all foreign ships at own worlds."""
    for world in realm.worlds:
        yield from battle(realm, world.at)


def battle(realm: Realm, at: Sector) -> Iterator[Order]:
    """Yield fire of all ships in a sector at all foreign ships there."""
    targets = realm.owners_at(at)
    able = [ship for ship in realm.here.get(at, ()) if realm.holds(ship)]
    if not targets or not able:
        return
    if aboard := [ship.callsign for ship in able if ship.loaded]:
        yield Unload(tuple(aboard))
    realm.busy |= {ship.number for ship in realm.here[at]}
    yield Fire(named(able), targets)


class Fleet:
    """The barges in a sector, with the wings they carry or can take along."""

    def __init__(self, realm: Realm, at: Sector, barges: list[Ship]) -> None:
        self.realm, self.at, self.barges = realm, at, barges
        self.wings = self._wings()

    def _wings(self) -> list[Ship]:
        """Return the wings aboard, then the best of those that can come aboard."""
        realm = self.realm
        numbers = {barge.number for barge in self.barges}
        aboard = [ship for ship in realm.here[self.at] if ship.carrier in numbers]
        near = [ship for ship in realm.wings(self.at) if ship.number not in realm.busy]
        near.sort(key=lambda ship: (-realm.state.guns(ship), ship.number))
        if any(world.at == self.at for world in realm.worlds) and not self._is_held(near):
            near = near[:-1]
        room = sum(realm.state.free_racks(barge) for barge in self.barges)
        for ship in near:
            if realm.kind(ship).tonnage <= room and realm.state.guns(ship) > 1:
                room -= realm.kind(ship).tonnage
                aboard.append(ship)
        return aboard

    def _is_held(self, near: list[Ship]) -> bool:
        """Return whether somebody guards the world who does not come along."""
        leaving = {ship.number for ship in (*near, *self.barges)}
        return any(
            self.realm.holds(ship) and not ship.loaded and ship.number not in leaving
            for ship in self.realm.here[self.at]
        )

    @property
    def guns(self) -> int:
        """The guns of its wings and barges."""
        return sum(self.realm.state.guns(ship) for ship in (*self.wings, *self.barges))

    def depart(self, to: Sector) -> Iterator[Order]:
        """Yield orders to load the wings and move to a sector."""
        realm = self.realm
        room = {barge.number: realm.state.free_racks(barge) for barge in self.barges}
        for barge in self.barges:
            cargo = []
            for ship in self.wings:
                tonnage = realm.kind(ship).tonnage
                if (
                    not ship.loaded
                    and ship.number not in realm.busy
                    and (tonnage <= room[barge.number])
                ):
                    room[barge.number] -= tonnage
                    realm.busy.add(ship.number)
                    cargo.append(ship.callsign)
            if cargo:
                yield Load(tuple(cargo), barge.callsign)
        yield from go(realm, self.barges, to)


def fleets(realm: Realm) -> list[Fleet]:
    """Return the fleets that have no orders yet."""
    barges = [ship for ship in realm.free_ships() if realm.kind(ship).hull is Hull.TRANSPORT]
    sectors = sorted({ship.at for ship in barges}, key=realm.local)
    return [Fleet(realm, at, [ship for ship in barges if ship.at == at]) for at in sectors]


def campaign(realm: Realm) -> Iterator[Order]:
    """Yield the orders of all fleets: fight where they are, or go to a world they can take."""
    for at in sorted({f.at for f in fleets(realm)}, key=realm.local):
        yield from battle(realm, at)
    aims: dict[str, int] = {}
    for fleet in fleets(realm):
        goal = _goal(realm, fleet, aims)
        if goal is not None:
            aims[goal.name] = aims.get(goal.name, 0) + fleet.guns
            yield from fleet.depart(goal.at)
        elif realm.home is not None and fleet.at != realm.home.at:
            yield from fleet.depart(realm.home.at)
    yield from _follow(realm, aims)


def _goal(realm: Realm, fleet: Fleet, aims: dict[str, int]) -> KnownWorld | None:
    """Return the world that a fleet can take with most profit, or None."""
    goals = [
        world
        for world in realm.foreign()
        if world.name not in aims and fleet.guns >= _MARGIN * realm.defence(world)
    ]
    return max(goals, key=lambda world: _profit(fleet, world), default=None)


def _profit(fleet: Fleet, world: KnownWorld) -> tuple[float, str]:
    worth = world.production + (6 if world.homeworld else 0)
    return worth / (3 + distance(fleet.at, world.at)), world.name


def _follow(realm: Realm, aims: dict[str, int]) -> Iterator[Order]:
    """Yield moves of settlers after the fleets: into the battles, or near the goals."""
    fought = [
        world
        for world in realm.foreign()
        if any(ship.number in realm.busy for ship in realm.here.get(world.at, ()))
    ]
    ships = settlers(realm)
    for world in fought:
        near = [s for s in ships if distance(s.at, world.at) <= realm.reach(s)]
        for ship in near[:1]:
            ships.remove(ship)
            yield from go(realm, [ship], world.at)
    goals = [world for world in realm.foreign() if world.name in aims]
    for world, ship in zip(goals, [s for s in ships if _is_settler(realm, s)], strict=False):
        yield from go(realm, [ship], world.at, short=_SHADOW)


def _is_settler(realm: Realm, ship: Ship) -> bool:
    return realm.kind(ship).ratings.scan < 2
