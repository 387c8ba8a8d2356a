"""Default orders of a player who sent none (s31, settled case 26)."""

from collections import defaultdict
from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import FireAtFleet, Order, Trigger, WorldNumber
from referee.rulesets.starweb.state import Fleet, State


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Return the standing orders or, without any, a conditional fire order for each fleet.

    The target is the largest fleet there that belongs to neither the player nor an ally. Of equal
    fleets it is the one with the lower number. Industry builds I-Ships without an order.
    """
    if standing:
        return tuple(standing)
    there: defaultdict[WorldNumber, list[Fleet]] = defaultdict(list)
    friends = {seat, *state.players[seat].allies}
    for fleet in state.fleets.values():
        if fleet.ships and fleet.owner is not None and fleet.owner not in friends:
            there[fleet.world].append(fleet)
    return tuple(
        FireAtFleet(fleet.number, Trigger.CONDITIONAL, _largest(there[fleet.world]).number)
        for _, fleet in sorted(state.fleets.items())
        if fleet.owner == seat and fleet.ships and there[fleet.world]
    )


def _largest(fleets: list[Fleet]) -> Fleet:
    return min(fleets, key=lambda fleet: (-fleet.ships, fleet.number))
