"""What a player does who sent nothing (s31, settled case 26)."""

from collections import defaultdict
from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import FireAtFleet, Order, Trigger, WorldNumber
from referee.rulesets.starweb.state import Fleet, State


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Return the standing orders; without any, each fleet is ready to answer fire.

    It gives a conditional fire order at the largest fleet there that is neither the player's nor
    an ally's, of two equal ones at the lower number. Industry builds I-Ships by itself.
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
