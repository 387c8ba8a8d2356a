"""The default orders of a player who sent nothing."""

from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rulesets.singularity.accepted import ACCEPTED
from referee.rulesets.singularity.orders import Order
from referee.rulesets.singularity.state import State


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Return the standing orders that belong to this section of the turn.

    Without them upkeep is paid, and all ships stay where they are and fire by the usual doctrine.
    """
    del seat
    return tuple(order for order in standing if isinstance(order, ACCEPTED[state.section]))
