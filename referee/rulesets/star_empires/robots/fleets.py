"""The battles of an empire's robot: fire at visitors, and fleets that take foreign worlds."""

from collections.abc import Iterable, Iterator
from typing import Final

from referee.rulesets.star_empires.hulls import Hull
from referee.rulesets.star_empires.orders import Fire, Load, Order, Unload
from referee.rulesets.star_empires.robots.pilots import go, settlers
from referee.rulesets.star_empires.robots.realm import Realm
from referee.rulesets.star_empires.sectors import Sector, distance
from referee.rulesets.star_empires.ships import named
from referee.rulesets.star_empires.state import KnownWorld, Ship

_MARGIN: Final = 1.25
"""How many guns a fleet has for each DP that it expects."""
_MOBILE: Final = (Hull.TRANSPORT, Hull.GUNSHIP)
"""The hulls of fleets."""
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
    """The warships or barges in a sector, with the wings they carry or can take along."""

    def __init__(self, realm: Realm, at: Sector, ships: list[Ship]) -> None:
        self.realm, self.at, self.ships = realm, at, ships
        self.hull = realm.kind(ships[0]).hull
        self.landing: list[Ship] = []
        """The wings that go off their barge to hold the world here."""
        numbers = {ship.number for ship in ships}
        self.wings = [ship for ship in realm.here[at] if ship.carrier in numbers]
        """The wings aboard, and the best of those that can come aboard."""
        boarding = self._boarding()
        if any(world.at == at for world in realm.worlds):
            boarding = self._garrisoned(boarding)
        self.wings += boarding

    def _boarding(self) -> list[Ship]:
        realm, found = self.realm, list[Ship]()
        room = sum(realm.state.free_racks(ship) for ship in self.ships)
        near = [ship for ship in realm.wings(self.at) if ship.number not in realm.busy]
        near.sort(key=lambda ship: (-realm.state.guns(ship), ship.number))
        for ship in near:
            if realm.kind(ship).tonnage <= room and realm.state.guns(ship) > 1:
                room -= realm.kind(ship).tonnage
                found.append(ship)
        return found

    def _garrisoned(self, boarding: list[Ship]) -> list[Ship]:
        """Leave somebody behind who holds the world here; return the wings that come aboard."""
        realm = self.realm
        leaving = {ship.number for ship in (*boarding, *self.ships)}
        if any(
            realm.holds(ship)
            and not ship.loaded
            and ship.number not in leaving
            and realm.kind(ship).hull not in _MOBILE
            for ship in realm.here[self.at]
        ):
            return boarding
        if boarding:
            return boarding[:-1]
        if self.wings:
            self.landing = [self.wings.pop()]
        else:
            self.ships = self.ships[1:]
        return boarding

    @property
    def guns(self) -> int:
        """The guns of the fleet's ships and wings."""
        return sum(self.realm.state.guns(ship) for ship in (*self.wings, *self.ships))

    def depart(self, to: Sector) -> Iterator[Order]:
        """Yield orders to load the wings and move to a sector."""
        realm = self.realm
        if self.landing:
            yield Unload(tuple(ship.callsign for ship in self.landing))
        room = {barge.number: realm.state.free_racks(barge) for barge in self.ships}
        for barge in self.ships:
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
        yield from go(realm, self.ships, to)


def fleets(realm: Realm) -> list[Fleet]:
    """Return the fleets that have no orders yet, those of warships apart from those of barges."""
    found = []
    for hull in _MOBILE:
        ships = [ship for ship in realm.free_ships() if realm.kind(ship).hull is hull]
        sectors = sorted({ship.at for ship in ships}, key=realm.local)
        found += [Fleet(realm, at, [ship for ship in ships if ship.at == at]) for at in sectors]
    return [fleet for fleet in found if fleet.ships]


def campaign(realm: Realm) -> Iterator[Order]:
    """Yield the orders of all fleets: fight where they are, or go to a world they can take."""
    for at in dict.fromkeys(fleet.at for fleet in fleets(realm)):
        yield from battle(realm, at)
    free = fleets(realm)
    goals = _goals(realm, free)
    for fleet in free:
        goal = goals.get((fleet.at, fleet.hull))
        if goal is not None:
            yield from fleet.depart(goal.at)
        elif realm.home is not None and fleet.at != realm.home.at:
            yield from fleet.depart(realm.home.at)
    yield from _follow(realm, goals.values())


def _goals(realm: Realm, free: list[Fleet]) -> dict[tuple[Sector, Hull], KnownWorld]:
    """Return the worlds that fleets can take, by sector and hull, the most profitable first.

    A fleet on its way keeps its goal, because the profit grows with each step.
    """
    pairs = [
        (fleet, world)
        for fleet in free
        for world in realm.foreign()
        if fleet.guns >= _MARGIN * realm.defence(world)
    ]
    pairs.sort(key=lambda pair: _profit(*pair), reverse=True)
    goals: dict[tuple[Sector, Hull], KnownWorld] = {}
    for fleet, world in pairs:
        if (fleet.at, fleet.hull) not in goals and world not in goals.values():
            goals[fleet.at, fleet.hull] = world
    return goals


def _profit(fleet: Fleet, world: KnownWorld) -> tuple[float, str, Sector]:
    worth = world.production + (6 if world.homeworld else 0)
    return worth / (3 + distance(fleet.at, world.at)), world.name, fleet.realm.local(fleet.at)


def _follow(realm: Realm, goals: Iterable[KnownWorld]) -> Iterator[Order]:
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
    for world, ship in zip(goals, [s for s in ships if _is_settler(realm, s)], strict=False):
        yield from go(realm, [ship], world.at, short=_SHADOW)


def _is_settler(realm: Realm, ship: Ship) -> bool:
    return realm.kind(ship).ratings.scan < 2
