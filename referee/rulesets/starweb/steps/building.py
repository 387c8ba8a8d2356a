"""Building: ships, industry, population limit, robots and migrants; and scrapping."""

from collections.abc import Callable
from typing import Any, Final

from referee.rules.turns import SheetOrder
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.industry import industry_price, scrap_price, usable_industry
from referee.rulesets.starweb.ships import add_ships
from referee.rulesets.starweb.state import MOST, World
from referee.rulesets.starweb.steps.sheets import MIGRATION
from referee.rulesets.starweb.turn_state import Migrants, Turn


def count_industry(turn: Turn) -> None:
    """Record each world's capacity, as the report showed it before the turn (s9).

    Enemies that hinder it are part of that number. They are not computed again, because the owner
    cannot know whose ally they are (s17).
    """
    for number, world in turn.state.worlds.items():
        if world.owner is not None and world.industry:
            turn.capacity[number] = min(world.usable, usable_industry(turn.state, world, ()))


def scrap(turn: Turn) -> None:
    """Scrap I-Ships that began the turn as I-Ships; the industry builds from next turn (s6)."""
    for given, world in turn.of_worlds(o.ScrapShips):
        price = scrap_price(turn.player(given.seat))
        count = min(given.order.count, world.iships // price)
        if not count:
            given.fail(
                f"one industry needs {price} I-Ships, and W{world.number} has {world.iships}"
            )
        elif count < given.order.count:
            given.remark = f"the I-Ships are enough for only {count} industry"
        world.iships -= count * price
        world.industry = min(MOST, world.industry + count)


def build(turn: Turn) -> None:
    """Build in the sequence typed; later orders get what is left (s9, settled case 28)."""
    for given, world in turn.of_worlds(*_WORKS):
        order = given.order
        if (reason := _hindrance(turn, order, world)) is not None:
            given.fail(reason)
            continue
        price = industry_price(turn.player(given.seat)) if isinstance(order, _INDUSTRY) else 1
        count = min(order.count, turn.capacity.get(world.number, 0) // price)
        if isinstance(order, MIGRATION):
            count = min(count, _emigrants(order, world))
        if not count:
            given.fail(f"W{world.number} does not have enough industry left")
            continue
        if count < order.count:
            given.remark = f"only {count} of {order.count} {'is' if count == 1 else 'are'} possible"
        _WORKS[type(order)](turn, given, world, count)
        _spend(turn, world, count * price)


def build_idly(turn: Turn) -> None:
    """Build I-Ships with the industry that has no orders (s9, settled case 28)."""
    for number, left in turn.capacity.items():
        if left:
            world = turn.world(number)
            _spend(turn, world, left)
            world.iships = min(MOST, world.iships + left)


def _hindrance(turn: Turn, order: Any, world: World) -> str | None:
    """Return why *order* cannot be carried out at all, or None."""
    if isinstance(order, MIGRATION):
        if order.to not in world.gates or order.to not in turn.state.worlds:
            return f"W{order.to} is not next to W{world.number}"
        if not _emigrants(order, world):
            return f"W{world.number} has nobody to send"
    elif isinstance(order, o.BuildFleetShips):
        fleet = turn.state.fleets.get(order.to)
        if fleet is None or fleet.world != world.number:
            return f"F{order.to} is not at W{world.number}"
    elif isinstance(order, o.BuildRobots) and not world.robots:
        return f"no robots live on W{world.number}"
    return None


def _emigrants(order: Any, world: World) -> int:
    if isinstance(order, o.MigrateConverts):
        return world.converts
    return world.population - world.converts


def _build_home_ships(_turn: Turn, given: SheetOrder[Any], world: World, count: int) -> None:
    if given.order.to is o.Home.INDUSTRY:
        world.iships = min(MOST, world.iships + count)
    else:
        world.pships = min(MOST, world.pships + count)


def _build_fleet_ships(turn: Turn, given: SheetOrder[Any], _world: World, count: int) -> None:
    add_ships(turn.state.fleets[given.order.to], count)


def _build_industry(_turn: Turn, _given: SheetOrder[Any], world: World, count: int) -> None:
    world.industry = min(MOST, world.industry + count)


def _raise_limit(_turn: Turn, _given: SheetOrder[Any], world: World, count: int) -> None:
    world.limit = min(MOST, world.limit + count)


def _build_robots(_turn: Turn, _given: SheetOrder[Any], world: World, count: int) -> None:
    world.population = min(MOST, world.population + 2 * count)


def _spend(turn: Turn, world: World, industry: int) -> None:
    """Use up industry, one metal each, and the people who run it (s9)."""
    turn.capacity[world.number] -= industry
    turn.workers[world.number] += industry
    world.metal -= industry


def _send(turn: Turn, given: SheetOrder[Any], world: World, count: int) -> None:
    """Send people, converts or robots away; they arrive after the fleets (s9)."""
    # The home fleets of a world that sends migrants do not ambush (s16).
    turn.engaged_homes |= {(world.number, o.Home.INDUSTRY), (world.number, o.Home.PEOPLE)}
    goal = given.order.to
    world.population -= count
    if isinstance(given.order, o.MigrateConverts):
        world.converts -= count
        turn.migrants.append(Migrants(given.seat, goal, converts=count, apostle=world.apostle))
        if not world.converts:
            world.apostle = None
    elif world.robots:
        turn.migrants.append(Migrants(given.seat, goal, robots=count))
    else:
        turn.migrants.append(Migrants(given.seat, goal, people=count))


_INDUSTRY: Final = (o.BuildIndustry, o.RaiseLimit)
"""The orders that cost the price of new industry."""

_WORKS: Final[dict[type[o.Order], Callable[[Turn, SheetOrder[Any], World, int], None]]] = {
    o.BuildHomeShips: _build_home_ships,
    o.BuildFleetShips: _build_fleet_ships,
    o.BuildIndustry: _build_industry,
    o.RaiseLimit: _raise_limit,
    o.BuildRobots: _build_robots,
    o.MigratePeople: _send,
    o.MigrateConverts: _send,
}
"""The effects of the orders to build, before the industry is used up."""
