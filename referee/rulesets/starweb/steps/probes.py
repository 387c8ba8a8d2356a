"""Probes: a ship is used up to see a world next door."""

from typing import Any

from referee.rules.turns import SheetOrder
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.ships import take_ships
from referee.rulesets.starweb.state import Fleet, World
from referee.rulesets.starweb.turn_state import Turn


def probe(turn: Turn) -> None:
    """Send the probes, before ships are transferred or built (s12)."""
    for given, fleet in turn.of_fleets(o.ProbeFromFleet):
        if not fleet.ships:
            given.fail(f"F{fleet.number} has no ship for a probe")
        elif _may_look(turn, given, fleet.world):
            take_ships(turn.state, fleet, 1)
            turn.sights[given.seat].add(given.order.at)
    for from_home, world in turn.of_worlds(o.ProbeFromHome):
        if not _home_ships(world, from_home.order.home):
            from_home.fail(f"W{world.number} has no {from_home.order.home.value}-Ship for a probe")
        elif _may_look(turn, from_home, world.number):
            _spend(world, from_home.order.home)
            turn.sights[from_home.seat].add(from_home.order.at)


def _may_look(turn: Turn, given: SheetOrder[Any], world: int) -> bool:
    """Return whether the goal is next door and not seen without a probe (s12)."""
    goal = turn.state.worlds.get(given.order.at)
    if goal is None or goal.number not in turn.world(world).gates:
        given.fail(f"W{given.order.at} is not next to W{world}")
    elif goal.number in turn.sights[given.seat]:
        given.fail(f"you already probe W{goal.number}")
    elif _is_seen(turn, given, goal):
        given.fail(f"you see W{goal.number} without a probe")
    return not given.failed


def _is_seen(turn: Turn, given: SheetOrder[Any], goal: World) -> bool:
    def own(fleet: Fleet) -> bool:
        return fleet.owner == given.seat

    return given.seat in (goal.owner, goal.apostle) or any(map(own, turn.fleets_at(goal.number)))


def _home_ships(world: World, home: o.Home) -> int:
    return world.iships if home is o.Home.INDUSTRY else world.pships


def _spend(world: World, home: o.Home) -> None:
    if home is o.Home.INDUSTRY:
        world.iships -= 1
    else:
        world.pships -= 1
