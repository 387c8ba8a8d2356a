"""The default orders of a player who sent nothing: standing orders, or all fleets defend."""

from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rulesets.fistful import homes
from referee.rulesets.fistful.orders import Order
from referee.rulesets.fistful.state import Stage, State


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Return the standing orders, or a homeworld in the home phase, or nothing."""
    if standing:
        return tuple(standing)
    if state.stage is Stage.HOMES and seat in homes.choosers(state):
        return tuple(homes.usual(state, seat))
    return ()
