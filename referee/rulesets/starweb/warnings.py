"""What a player should be warned of although his order stands."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.language import render
from referee.rulesets.starweb.rejections import objection
from referee.rulesets.starweb.sight import Sight


def caution(sight: Sight, order: o.Order, sheet: Sequence[o.Order]) -> str | None:
    """Say what may surprise the player about an order that stands; *sheet* is all he orders."""
    match order:
        case o.MoveFleet():
            return _of_move(sight, order, sheet)
        case o.TransferToFleet(to=key) | o.TransferFromHome(to=key) | o.BuildFleetShips(to=key) if (
            sight.own_fleet(key) is None
        ):
            return _of_present(sight, key)
        case o.FireAtFleet(at=key) | o.HomeFireAtFleet(at=key):
            return _of_target(sight, key)
        case _:
            return None


def softened(sight: Sight, order: o.Order) -> str | None:
    """Say on what an order depends that fails as far as the player can see; None when on nothing.

    Others can make such an order good in ways he is not told of.
    """
    match order:
        case o.Load(fleet=number) if (fleet := sight.own_fleet(number)) is not None:
            world = sight.world(fleet.world)
            if world is not None and world.owner not in (None, sight.seat):
                owner = sight.owner_of(world)
                return f"W{world.number} is {owner}: it works only if you are a loader there."
        case o.HookArtifact(to=key):
            fleet = sight.fleet(key)
            if fleet is not None and fleet.owner not in (None, sight.seat):
                return f"F{key} is not yours: it works only if its owner is an Artifact Collector."
        case o.GiveWorld(world=number, name=name):
            world = sight.own_world(number)
            if world is not None and world.robots:
                return f"robots live on W{number}: it works only if {name} is a Berserker."
        case o.HoldAmbush(world=number):
            return f"W{number} never stood in a report of yours."
        case o.Plunder(world=number):
            world = sight.own_world(number)
            if world is not None and not world.recovery:
                return f"it works only if nobody takes W{number} from you this turn."
        case _:
            pass
    return None


def _of_move(sight: Sight, order: o.MoveFleet, sheet: Sequence[o.Order]) -> str | None:
    fleet = sight.own_fleet(order.fleet)
    if fleet is None:
        return None
    route = (fleet.world, *order.route)
    for world in order.route:
        if sight.is_black_hole(world):
            return f"W{world} is a black hole: all ships are lost there."
    for here, there in pairwise(route):
        if sight.gates(here) is None and sight.gates(there) is None:
            return f"you have not seen the gates of W{here}; if none leads to W{there}, it stays."
    if not fleet.ships:
        givers = [render(other) for other in sheet if _fills(sight, other, order.fleet)]
        what = f"{' and '.join(givers[:3])} {'gives' if len(givers) == 1 else 'give'}"
        return f"F{order.fleet} has no ships now. It moves only with those that {what} it."
    return None


def _fills(sight: Sight, order: Any, key: o.FleetNumber) -> bool:
    """Return whether an order that was not refused brings ships to a fleet."""
    kinds = (o.TransferToFleet, o.TransferFromHome, o.BuildFleetShips)
    return isinstance(order, kinds) and order.to == key and objection(sight, order) is None


def _of_present(sight: Sight, key: o.FleetNumber) -> str | None:
    fleet = sight.fleet(key)
    if fleet is None:
        return None
    if fleet.owner is None:
        return f"F{key} is nobody's and stays so: the ships are lost to you."
    return f"F{key} is {sight.owner_of(fleet)}: the ships are a present."


def _of_target(sight: Sight, key: o.FleetNumber) -> str | None:
    fleet = sight.fleet(key)
    if fleet is None:
        return None
    if fleet.owner == sight.seat:
        return f"F{key} is your own fleet."
    if fleet.owner is not None and fleet.owner in sight.player.allies:
        return f"F{key} is {sight.owner_of(fleet)}, who is your ally."
    return None
