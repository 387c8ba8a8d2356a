"""What a player does who sent nothing: his standing orders, else nothing."""

from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rulesets.singularity.orders import Order
from referee.rulesets.singularity.state import State


def defaults(state: State, seat: Seat, standing: Sequence[Order]) -> Sequence[Order]:
    """Give the standing orders; without them upkeep is paid and all ships stay where they are."""
    del state, seat
    return tuple(standing)
