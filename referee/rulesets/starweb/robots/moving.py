"""Moving: each key to where it gains most for the time it takes."""

from dataclasses import dataclass
from typing import Final

from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.robots.plan import LONGEST_MOVE, Key, Plan
from referee.rulesets.starweb.robots.prizes import prize
from referee.rulesets.starweb.robots.trade import routes

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
    trades: bool = False
    """Whether it goes to sell metal, in peace."""


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
            if errand.goal not in plan.stocks and not errand.trades:
                taken.add(errand.goal)


def _errands(plan: Plan, key: Key) -> list[Errand]:
    if key.cargo:
        return _delivery(plan, key)
    return [*_pickup(plan, key), *_fetching(plan, key), *_conquests(plan, key)]


def _turns(plan: Plan, way: tuple[o.WorldNumber, ...]) -> int:
    return -(-len(way) // plan.skills.step)


def _works(plan: Plan) -> list[o.WorldNumber]:
    return [world.number for world in plan.worlds if world.industry > 1] or [plan.player.home]


def _delivery(plan: Plan, key: Key) -> list[Errand]:
    way = plan.web.nearest(key.world, _works(plan))
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
    way = plan.web.nearest(key.world, _works(plan))
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
        back = plan.web.nearest(number, _works(plan))
        if amount and back is not None:
            turns = _turns(plan, way) + _turns(plan, back)
            worth = plan.skills.metal * amount / turns
            found.append(Errand(worth, key, way, number))
    return found


def _conquests(plan: Plan, key: Key) -> list[Errand]:
    found = []
    for number, way in plan.web.ways(key.world).items():
        worth = prize(plan, number, key.ships)
        if worth > 0:
            found.append(Errand(worth / _turns(plan, way), key, way, number))
    return found
