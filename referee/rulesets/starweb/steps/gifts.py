"""Gifts of fleets and worlds, and plunder, which excludes a gift."""

from typing import Final

from referee.rules.wording import counted
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.state import Character
from referee.rulesets.starweb.turn_state import Turn

PLUNDER_POINTS: Final = (50, 40, 30, 20, 10)
"""A Pirate's points for plundering a world the first, second, ... time (s4C)."""
OTHERS_PLUNDER: Final = -5
RECOVERY_TURNS = 3


def check_gifts(turn: Turn) -> None:
    """Check gifts: only to players met (s18)."""
    for given in turn.given(o.GiveFleet, o.GiveWorld):
        turn.met(given)
    for _, fleet in turn.of_fleets(o.GiveFleet):
        turn.engaged.add(fleet.number)
    for _, world in turn.of_worlds(o.GiveWorld):
        turn.engaged_homes.update((world.number, home) for home in o.Home)


def plunder(turn: Turn) -> None:
    """Plunder worlds that their owner still has; they recover for three turns (s19)."""
    for given in turn.given(o.Plunder):
        world = turn.state.worlds.get(given.order.world)
        if world is None or given.seat != turn.was(world).owner:
            given.fail(f"W{given.order.world} is not yours")
        elif world.owner != given.seat:
            given.fail(f"you lost W{world.number} this turn")
        elif world.recovery:
            turns = counted(world.recovery, "more turn")
            given.fail(f"W{world.number} recovers from plunder for {turns}")
        else:
            pirate = turn.plays(given.seat, Character.PIRATE)
            turn.score(given.seat, _booty(world.plunders) if pirate else OTHERS_PLUNDER)
            world.plunders += 1
            # The end of this turn already counts it down once.
            world.recovery = RECOVERY_TURNS + 1


def _booty(plunders: int) -> int:
    return PLUNDER_POINTS[min(plunders, len(PLUNDER_POINTS) - 1)]


def recover(turn: Turn) -> None:
    """Count down the recovery of plundered worlds (s19, settled case 15)."""
    for world in turn.state.worlds.values():
        world.recovery = max(0, world.recovery - 1)


def give(turn: Turn) -> None:
    """Transfer the gifts that the giver still owns (s18)."""
    for given, fleet in turn.of_fleets(o.GiveFleet):
        receiver = turn.met(given)
        lost_by, captured = fleet.lost_by, fleet.captured
        turn.own_fleet(fleet, receiver)
        fleet.lost_by, fleet.captured, fleet.gift_from = lost_by, captured, given.seat
    for world_given, world in turn.of_worlds(o.GiveWorld):
        receiver = turn.met(world_given)
        if world.robots and not turn.plays(receiver, Character.BERSERKER):
            # Only a Berserker can own robots (s4E).
            world_given.fail(f"robots live on W{world.number}; only a Berserker can own them")
            continue
        lost_by, captured = world.lost_by, world.captured
        turn.own_world(world, receiver)
        world.lost_by, world.captured, world.gift_from = lost_by, captured, world_given.seat
