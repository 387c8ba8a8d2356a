"""What a player does who sent nothing: standing orders, else all his fleets defend."""

from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rulesets.fistful import homes
from referee.rulesets.fistful.orders import Order
from referee.rulesets.fistful.state import Stage, State


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Return the standing orders, else a homeworld while they are chosen, else nothing."""
    if standing:
        return tuple(standing)
    if state.stage is Stage.HOMES and seat in homes.choosers(state):
        return tuple(homes.usual(state, seat))
    return ()
