"""The robot that plays an empire of Star Empires, from what the empire knows."""

from collections.abc import Iterator, Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.ruleset import Seat
from referee.rulesets.star_empires.orders import Order
from referee.rulesets.star_empires.robots.fleets import campaign, defend
from referee.rulesets.star_empires.robots.pilots import explore, settle
from referee.rulesets.star_empires.robots.realm import Realm
from referee.rulesets.star_empires.robots.yards import Role, Yards, count_roles
from referee.rulesets.star_empires.state import State, World

_SMALL: Final = 5
"""The distance from home up to which an easy robot settles."""
_WATCHED: Final = 5
"""The unknown sectors that a hard robot leaves unseen to watch a foreign world."""
_ENOUGH: Final = 40
"""The number of guards from which a normal robot builds only warships at home."""
_OUTPOST: Final = 8
"""The turns in which a hard robot adds a guard at a world; at home it adds one in each turn."""
_MOST: Final = 24
"""The most wings for which it does so."""
_LONG: Final = 50
"""The turns after which a robot plays better, so that a game of weak robots ends, too."""


def robot(state: State, seat: Seat, strength: Strength, dice: Dice) -> Sequence[Order]:
    """Return the orders of an empire: battles, moves, then ships to build."""
    if state.empires[seat].homeless:
        return ()
    del dice
    plays = (_easy, _normal, _hard)
    place = [*Strength].index(strength) + state.turn // _LONG
    return tuple(plays[min(place, len(plays) - 1)](Realm(state, seat)))


def _easy(realm: Realm) -> Iterator[Order]:
    """Yield the orders of an empire that settles near home and keeps a few scouts."""
    yield from defend(realm)
    yield from settle(realm, _SMALL)
    yield from explore(realm, 2)
    yards = Yards(realm, designs=False)
    if realm.home is not None:
        if count_roles(yards)[Role.SCOUT] < 4:
            yards.take(realm.home, Role.SCOUT, 1)
        elif realm.state.turn % 3 == 0:
            yards.take(realm.home, Role.GUARD, 2)
    yield from yards.orders


def _normal(realm: Realm) -> Iterator[Order]:
    """Yield the orders of an empire that settles where it can, and takes what is weakly guarded."""
    yield from defend(realm)
    yield from settle(realm)
    yield from campaign(realm)
    yield from explore(realm)
    yards = Yards(realm, designs=False)
    for world in realm.worlds:
        yards.take(world, Role.GUARD, 0 if realm.wings(world.at) else 1)
    if realm.home is not None:
        wanted = 4 + len(realm.free_worlds()) - count_roles(yards)[Role.SCOUT]
        yards.take(realm.home, Role.SCOUT, wanted)
        _fortify(yards, realm.home)
    yield from yards.orders
    yield from yards.pool()


def _hard(realm: Realm) -> Iterator[Order]:
    """Yield the orders of an empire that settles first, and then takes the worlds of others."""
    yield from defend(realm)
    yield from settle(realm)
    yield from campaign(realm)
    yield from explore(realm, watched=_WATCHED)
    yards = Yards(realm, designs=True)
    for world in realm.worlds:
        turns = 1 if world is realm.home else _OUTPOST
        wanted = 1 + realm.state.turn // turns
        yards.take(world, Role.GUARD, min(wanted, _MOST) - len(realm.wings(world.at)))
    if realm.home is not None:
        counts = count_roles(yards)
        yards.take(realm.home, Role.SCOUT, 3 - counts[Role.SCOUT])
        wanted = 2 + len(realm.free_worlds()) - counts[Role.SETTLER]
        yards.take(realm.home, Role.SETTLER, wanted)
        _arm(yards, realm.home)
    yield from yards.orders
    yield from yards.pool()


def _fortify(yards: Yards, home: World) -> None:
    """Build guards at all worlds in danger and at home, and warships."""
    for world in yards.realm.worlds:
        if yards.threat(world):
            yards.take(world, Role.GUARD, 9)
    if count_roles(yards)[Role.GUARD] < _ENOUGH:
        yards.take(home, Role.GUARD, yards.left[home.name] // 4)
    yards.take(home, Role.WARSHIP, 9)


def _arm(yards: Yards, home: World) -> None:
    """Build barges, and the lances that fill them."""
    barge, lance = yards.draft(Role.BARGE), yards.draft(Role.LANCE)
    if barge is None or lance is None:
        return
    if yards.threat(home, 6):
        yards.take(home, Role.GUARD, yards.left[home.name] // 3)
    counts = count_roles(yards)
    racks = counts[Role.BARGE] * barge.ratings.racks - counts[Role.LANCE] * lance.tonnage
    yards.take(home, Role.LANCE, max(0, racks // lance.tonnage))
    crew = barge.ratings.racks // lance.tonnage
    bundle = barge.cost + crew * lance.cost
    while yards.left[home.name] >= bundle + barge.fee:
        if not yards.take(home, Role.BARGE, 1):
            break
        yards.take(home, Role.LANCE, crew)
