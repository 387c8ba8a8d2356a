"""Metal between worlds and fleets: unloading, jettison, consumer goods, loading."""

from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.ships import hold
from referee.rulesets.starweb.state import MOST, Character, Fleet, World
from referee.rulesets.starweb.turn_state import Turn, acted

GOODS_POINTS: Final = (10, 8, 5, 3, 1)
"""The points of a Merchant for the first, second, ... consumer goods on a world (s4B)."""


def unload(turn: Turn) -> None:
    """Unload metal onto worlds, jettison it, or unload it as consumer goods (s3, s13)."""
    for given, fleet in turn.of_fleets(o.Unload, o.Jettison, o.UnloadGoods):
        count = _out_of_hold(given, fleet)
        if count and isinstance(given.order, o.Unload):
            _onto_world(turn, given.seat, turn.world(fleet.world), count)
        elif count and isinstance(given.order, o.UnloadGoods):
            acted(fleet, "N")
            turn.goods[fleet.world].append((given.seat, count))


def _out_of_hold(given: SheetOrder[Any], fleet: Fleet) -> int:
    """Take the ordered metal out of the hold, at most what is there; without a number all."""
    wanted = fleet.cargo if given.order.count is None else given.order.count
    count = min(wanted, fleet.cargo)
    if not fleet.cargo:
        given.fail(f"F{fleet.number} carries no metal")
    elif count < wanted:
        given.remark = f"F{fleet.number} has only {count} metal"
    fleet.cargo -= count
    return count


def _onto_world(turn: Turn, seat: Seat, world: World, count: int) -> None:
    world.metal = min(MOST, world.metal + count)
    turn.unloaded[seat, world.number] += count


def spend_goods(turn: Turn) -> None:
    """Score consumer goods, and turn converts back with them (s4B, settled case 14)."""
    for number in sorted(turn.goods):
        world = turn.world(number)
        world.goods = min(MOST, world.goods + 1)
        points = GOODS_POINTS[min(world.goods, len(GOODS_POINTS)) - 1]
        for seat in sorted({seat for seat, _ in turn.goods[number]}):
            if turn.plays(seat, Character.MERCHANT):
                turn.score(seat, points)
        _bribe(turn, world, sum(count for _, count in turn.goods[number]))


def _bribe(turn: Turn, world: World, count: int) -> None:
    """Turn one convert back with each unit, with an even chance (s4F)."""
    dice = turn.dice.at("goods", world.number)
    while count and world.converts:
        count -= 1
        world.converts -= dice.chance(1, 2)
    if not world.converts:
        world.apostle = None


def load(turn: Turn) -> None:
    """Load metal: the owner of the world first, then by fleet numbers (s13)."""
    loading = [
        (fleet.owner != turn.world(fleet.world).owner, fleet.number, given, fleet)
        for given, fleet in turn.of_fleets(o.Load)
    ]
    for _, _, given, fleet in sorted(loading, key=lambda entry: entry[:2]):
        if _may_load(turn, given, turn.world(fleet.world)):
            _into_hold(turn, given, fleet)


def _may_load(turn: Turn, given: SheetOrder[o.Load], world: World) -> bool:
    owner = world.owner
    if owner == given.seat or (owner is not None and given.seat in turn.player(owner).loaders):
        return True
    given.fail(f"W{world.number} is not yours, and you are not a loader there")
    return False


def _into_hold(turn: Turn, given: SheetOrder[o.Load], fleet: Fleet) -> None:
    world = turn.world(fleet.world)
    room = hold(turn.state, fleet) - fleet.cargo
    wanted = room if given.order.count is None else given.order.count
    count = min(wanted, room, world.metal)
    if not room:
        given.fail(f"F{fleet.number} cannot carry more metal")
    elif not world.metal:
        given.fail(f"W{world.number} has no metal left")
    elif given.order.count is not None and count < wanted:
        given.remark = f"F{fleet.number} can load only {count} metal"
    fleet.cargo += count
    world.metal -= count
    turn.unloaded[given.seat, world.number] -= count
