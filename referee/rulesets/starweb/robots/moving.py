"""Moving: each key to where it gains most for the time it takes."""

from dataclasses import dataclass
from typing import Final

from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.robots.characters import WORKS, landing_force
from referee.rulesets.starweb.robots.plan import LONGEST_MOVE, Key, Plan
from referee.rulesets.starweb.robots.trade import customers, is_watched, routes
from referee.rulesets.starweb.ships import defenders_of
from referee.rulesets.starweb.state import Character, World
from referee.rulesets.starweb.treasures import treasure_points

ENOUGH: Final = 3
"""Industry with metal for so many turns needs no more."""
SURE: Final = 10.0
"""The worth of a delivery: metal that is on its way goes on."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A way for a key, and its worth for each turn that it takes."""

    worth: float
    key: Key
    way: tuple[o.WorldNumber, ...]
    goal: o.WorldNumber
    loads: bool = False
    """Whether the key loads metal before it leaves."""
    is_for_one: bool = False
    """Whether no other key needs to go there."""
    trades: bool = False
    """Whether the key goes to sell metal, in peace."""


def move(plan: Plan) -> None:
    """Send each key that has ships and no order on the errand that is worth most."""
    free = [key for key in plan.keys.values() if key.ships and not key.busy]
    errands = [errand for key in free for errand in _errands(plan, key)]
    errands.sort(key=lambda errand: (-errand.worth, len(errand.way), errand.key.number))
    taken: set[o.WorldNumber] = set()
    for errand in errands:
        if not errand.key.busy and errand.goal not in taken:
            if errand.loads:
                plan.load(errand.key)
            plan.set_peace(errand.key, peace=errand.trades)
            plan.move(errand.key, errand.way, plan.skills.step)
            if errand.is_for_one:
                taken.add(errand.goal)


def _errands(plan: Plan, key: Key) -> list[Errand]:
    if key.cargo:
        return _delivery(plan, key)
    return [*_pickup(plan, key), *_fetching(plan, key), *_conquests(plan, key)]


def _turns(plan: Plan, way: tuple[o.WorldNumber, ...]) -> int:
    return -(-len(way) // plan.skills.step)


def _markets(plan: Plan) -> list[o.WorldNumber]:
    """Return the worlds that need metal: the player's own industry, and customers."""
    works = [world for world in plan.worlds if world.industry > 1]
    needy = [w.number for w in works if plan.stocks[w.number].metal < ENOUGH * w.industry]
    return needy + [world.number for world in customers(plan)]


def _delivery(plan: Plan, key: Key) -> list[Errand]:
    way = plan.web.nearest(key.world, _markets(plan))
    home = [Errand(SURE, key, way, way[-1])] if way else []
    sales = [
        Errand(SURE + paid / _turns(plan, way), key, way, way[-1], trades=True)
        for paid, way in routes(plan, key)
        if paid and way
    ]
    return home + sales


def _pickup(plan: Plan, key: Key) -> list[Errand]:
    """Return the errand to load metal here and carry it to industry."""
    if key.world not in plan.stocks or not plan.skills.metal:
        return []
    amount = min(plan.room(key), plan.stocks[key.world].spare)
    way = plan.web.nearest(key.world, _markets(plan))
    if not amount or not way:
        return []
    return [Errand(plan.skills.metal * amount / _turns(plan, way), key, way, way[-1], True)]


def _fetching(plan: Plan, key: Key) -> list[Errand]:
    """Return errands to worlds with metal, from where it can be carried to industry."""
    found = []
    for number, way in plan.web.ways(key.world).items():
        stock = plan.stocks.get(number)
        world = plan.sight.own_world(number)
        if stock is None or world is None or world.industry > 1 or len(way) > 2 * LONGEST_MOVE:
            continue
        amount = min(plan.room(key), stock.spare + world.mines * _turns(plan, way))
        back = plan.web.nearest(number, _markets(plan))
        if amount and back is not None:
            turns = _turns(plan, way) + _turns(plan, back)
            worth = plan.skills.metal * amount / turns
            found.append(Errand(worth, key, way, number, is_for_one=True))
    return found


def _conquests(plan: Plan, key: Key) -> list[Errand]:
    found = []
    for number, way in plan.web.ways(key.world).items():
        worth = prize(plan, number, key.ships)
        if worth > 0:
            found.append(Errand(worth / _turns(plan, way), key, way, number, is_for_one=True))
    return found


UNKNOWN = 1.0
"""The worth of a world that was never seen."""
FORGOTTEN = 0.1
"""The worth of a world that was passed once, and is out of sight."""
SEARCH = 0.03
"""The worth of each ship in looking for others there."""
LOOSE_KEY = 0.3


def prize(plan: Plan, number: o.WorldNumber, ships: int) -> float:
    """Return the worth of a world for a fleet of *ships*: about 1 for a usual world, or 0."""
    world = plan.sight.world(number)
    if number in plan.stocks:
        return _conversion(plan, world, ships)
    if world is None:
        return UNKNOWN if plan.sight.gates(number) is None else FORGOTTEN + ships * SEARCH
    if is_watched(plan, world):
        return 0.0 if plan.at(number) else UNKNOWN
    if plan.at(number) and not _guards(plan, world):
        # A key that is there already captures what can be captured.
        return 0.0
    if _guards(plan, world) * 2 > ships:
        return 0.0
    loose = sum(not fleet.ships for fleet in plan.fleets[number])
    return _worth(plan, world) + LOOSE_KEY * loose


def _conversion(plan: Plan, world: World | None, ships: int) -> float:
    """Return the worth of landing robots on a world of our own (s22)."""
    if plan.character is not Character.BERSERKER or not plan.skills.powers:
        return 0.0
    if world is None or world.robots or ships <= landing_force(world):
        return 0.0
    return 0.5 + world.population / 50 if world.industry < WORKS else 0.0


def _guards(plan: Plan, world: World) -> int:
    """Return the ships there that resist."""
    return defenders_of(world) + sum(foe.ships for foe in plan.foes(world.number))


def _worth(plan: Plan, world: World) -> float:
    if not world.population or (world.robots and plan.character is not Character.BERSERKER):
        return 0.0
    if world.owner is None:
        return _riches(plan, world) if plan.skills.storms else UNKNOWN
    if not plan.is_foe(world.owner):
        return 0.0
    return plan.skills.prey * (_riches(plan, world) + world.industry / 5)


def _riches(plan: Plan, world: World) -> float:
    treasures = sum(max(0, treasure_points(n, plan.character)) for n in world.artifacts)
    return _by_character(plan.character, world) + world.mines / 8 + treasures / 15


def _by_character(character: Character, world: World) -> float:
    match character:
        case Character.EMPIRE_BUILDER:
            return 0.3 + (world.population / 10 + world.mines + world.industry) / 10
        case Character.BERSERKER | Character.APOSTLE:
            return 0.5 + world.population / 100
        case Character.PIRATE:
            return 1.2
        case _:
            return 0.8
