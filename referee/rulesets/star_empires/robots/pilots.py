"""The ways of scouts and settlers: to free worlds, and into the unknown."""

from collections.abc import Iterator
from typing import Final

from referee.rulesets.star_empires.hulls import Hull
from referee.rulesets.star_empires.orders import Move, Order
from referee.rulesets.star_empires.robots.realm import Realm
from referee.rulesets.star_empires.sectors import Sector, disk, distance
from referee.rulesets.star_empires.ships import named
from referee.rulesets.star_empires.state import KnownWorld, Ship

_LEASH: Final = 4
"""The distance from all known worlds beyond which nobody explores."""
_CROWD: Final = 9
"""The unknown sectors for which a scout comes near another."""


def step(realm: Realm, ship: Ship, to: Sector, short: int = 0) -> Sector:
    """Return the sector that a ship moves to on its way, outside storms.

    With *short*, it stops so many sectors before the goal.
    """
    reach = realm.reach(ship)
    stops = [at for at in disk(ship.at, reach) if at not in realm.storms or at == ship.at]
    return min(
        stops,
        key=lambda at: (
            abs(distance(at, to) - short),
            len(realm.foes.get(at, ())) if at != to else 0,
            distance(at, ship.at),
            realm.local(at),
        ),
        default=ship.at,
    )


def go(realm: Realm, ships: list[Ship], to: Sector, short: int = 0) -> Iterator[Order]:
    """Yield the order to move ships of one sector and one speed towards another sector."""
    slowest = min(ships, key=realm.reach)
    stop = step(realm, slowest, to, short)
    realm.busy |= {ship.number for ship in ships}
    if stop != slowest.at:
        yield Move(named(ships), realm.local(stop))


def settlers(realm: Realm) -> list[Ship]:
    """Return the small ships that can leave for a free world."""
    return [
        ship
        for ship in realm.free_ships()
        if realm.kind(ship).hull is Hull.SCOUT and not realm.is_needed(ship)
    ]


def settle(realm: Realm, far: int = 99) -> Iterator[Order]:
    """Yield moves to free worlds up to *far* from home, each ship to the nearest."""
    goals = [
        world
        for world in realm.free_worlds()
        if distance(world.at, realm.empire.home) <= far
        and not any(realm.holds(ship) for ship in realm.here.get(world.at, ()))
    ]
    ships = settlers(realm)
    pairs = sorted(
        ((ship, world) for ship in ships for world in goals),
        key=lambda pair: (_turns(realm, *pair), -pair[1].production, pair[0].number),
    )
    sent: set[str] = set()
    for ship, world in pairs:
        if ship.number not in realm.busy and world.name not in sent:
            sent.add(world.name)
            # A ship that moves away leaves its world to those that stay.
            if not realm.is_needed(ship):
                yield from go(realm, [ship], world.at)


def _turns(realm: Realm, ship: Ship, world: KnownWorld) -> int:
    return -(-distance(ship.at, world.at) // max(1, realm.reach(ship)))


def explore(realm: Realm, leash: int = _LEASH, watched: int = 0) -> Iterator[Order]:
    """Yield moves of scouts to where they see most that is unknown.

    A foreign world in their scan is worth *watched* unknown sectors.
    """
    targets = [world.at for world in realm.foreign()]
    places = [world.at for world in realm.empire.worlds.values()]
    aims: list[Sector] = []
    for ship in settlers(realm):
        scan = realm.kind(ship).ratings.scan
        if scan < 2 or realm.is_needed(ship):
            continue

        def worth(at: Sector, ship: Ship = ship, scan: int = scan) -> tuple[int, int, Sector]:
            dark = sum(each not in realm.chart for each in disk(at, scan))
            dark += watched * sum(
                distance(at, target) <= scan and all(distance(aim, target) > scan for aim in aims)
                for target in targets
            )
            crowd = sum(distance(at, aim) <= scan for aim in aims)
            remote = min((distance(at, place) for place in places), default=0)
            beyond = max(0, remote - leash)
            return dark - _CROWD * (crowd + beyond), distance(at, ship.at), realm.local(at)

        stops = [
            at
            for at in disk(ship.at, realm.reach(ship))
            if at not in realm.storms and at not in targets and not realm.foes.get(at)
        ]
        goal = max(stops, key=worth, default=ship.at)
        aims.append(goal)
        realm.busy.add(ship.number)
        if goal != ship.at:
            yield Move(named([ship]), realm.local(goal))
