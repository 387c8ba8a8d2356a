"""Building: ships, industry, population limit, robots and migrants; and scrapping."""

from typing import Any

from referee.rules.turns import SheetOrder
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.industry import industry_price, scrap_price, usable_industry
from referee.rulesets.starweb.ships import add_ships
from referee.rulesets.starweb.state import MOST, World
from referee.rulesets.starweb.turn_state import Migrants, Turn


def count_industry(turn: Turn) -> None:
    """Record what each world can build, as the report showed it before the turn (s9).

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
    orders = (
        o.BuildHomeShips,
        o.BuildFleetShips,
        o.BuildIndustry,
        o.RaiseLimit,
        o.BuildRobots,
        o.MigratePeople,
        o.MigrateConverts,
    )
    for given, world in turn.of_worlds(*orders):
        if (reason := _hindrance(turn, given.order, world)) is not None:
            given.fail(reason)
            continue
        wanted = given.order.count
        count = _affordable(turn, given, world)
        if not count:
            given.fail(f"W{world.number} does not have enough industry left")
            continue
        if count < wanted:
            given.remark = f"only {count} of {wanted} are possible"
        _build(turn, given, world, count)


def build_idly(turn: Turn) -> None:
    """Build I-Ships with the industry that has no orders (s9, settled case 28)."""
    for number, left in turn.capacity.items():
        if left:
            world = turn.world(number)
            _spend(turn, world, left)
            world.iships = min(MOST, world.iships + left)


def _hindrance(turn: Turn, order: Any, world: World) -> str | None:
    """Return why *order* cannot be carried out at all, or None."""
    match order:
        case o.BuildFleetShips(to=number):
            fleet = turn.state.fleets.get(number)
            if fleet is None or fleet.world != world.number:
                return f"F{number} is not at W{world.number}"
        case o.BuildRobots() if not world.robots:
            return f"no robots live on W{world.number}"
        case o.MigratePeople(to=number) | o.MigrateConverts(to=number):
            if number not in world.gates or number not in turn.state.worlds:
                return f"W{number} is not next to W{world.number}"
            if not _emigrants(order, world):
                return f"W{world.number} has nobody to send"
        case _:
            pass
    return None


def _affordable(turn: Turn, given: SheetOrder[Any], world: World) -> int:
    """Return how much of the order the remaining industry can build."""
    left = turn.capacity.get(world.number, 0)
    match given.order:
        case o.BuildIndustry() | o.RaiseLimit():
            left //= industry_price(turn.player(given.seat))
        case o.MigratePeople() | o.MigrateConverts():
            left = min(left, _emigrants(given.order, world))
        case _:
            pass
    return min(left, int(given.order.count))


def _emigrants(order: Any, world: World) -> int:
    if isinstance(order, o.MigrateConverts):
        return world.converts
    return world.population - world.converts


def _build(turn: Turn, given: SheetOrder[Any], world: World, count: int) -> None:
    price = 1
    match given.order:
        case o.BuildHomeShips(to=o.Home.INDUSTRY):
            world.iships = min(MOST, world.iships + count)
        case o.BuildHomeShips():
            world.pships = min(MOST, world.pships + count)
        case o.BuildFleetShips(to=number):
            add_ships(turn.state.fleets[number], count)
        case o.BuildIndustry():
            price = industry_price(turn.player(given.seat))
            world.industry = min(MOST, world.industry + count)
        case o.RaiseLimit():
            price = industry_price(turn.player(given.seat))
            world.limit = min(MOST, world.limit + count)
        case o.BuildRobots():
            world.population = min(MOST, world.population + 2 * count)
        case _:
            _send(turn, given, world, count)
    _spend(turn, world, count * price)


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
