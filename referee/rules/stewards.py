"""Stewards of seats: the orders of a seat whose player sends none."""

from collections.abc import Sequence
from typing import Any

from referee.rules.extras import extras_of
from referee.rules.ruleset import Ruleset, Seat


def limit(rules: Ruleset[Any, Any], state: Any) -> int:
    """Return after how many missed turns in a row a steward plays a seat; 0 is never."""
    steward = extras_of(rules).steward
    return 0 if steward is None else steward.after(state)


def orders_unsent(
    rules: Ruleset[Any, Any], state: Any, seat: Seat, missed: int | None
) -> Sequence[Any]:
    """Return the orders of a seat that sends none and has no standing orders.

    *missed* are the turns in a row that its player has missed before this one, 0 during an
    announced absence; None if nobody holds the seat.
    """
    steward, after = extras_of(rules).steward, limit(rules, state)
    if steward is None or not after or (missed is not None and missed < after):
        return rules.defaults(state, seat, ())
    # How long a seat has had no player is not known. It is not for the first time.
    return steward.orders(state, seat, 1 if missed is None else missed - after)
