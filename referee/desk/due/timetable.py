"""The timetable: when work is due next, if no letter comes before."""

from collections.abc import Collection
from datetime import datetime

from referee.desk.base.desk import Desk
from referee.desk.due import operator_digest
from referee.store import moments
from referee.store.moments import BY_THEMSELVES


def is_due(desk: Desk, names: Collection[str]) -> bool:
    """Return whether one of these moments of the register has come.

    The operator's digest has a time of its own.
    """
    first = moments.first(desk.session, BY_THEMSELVES.intersection(names))
    return first is not None and first <= desk.now


def next_due(desk: Desk) -> datetime | None:
    """Return the first moment at which something is due; in the past if it still waits."""
    found = moments.first(desk.session, BY_THEMSELVES), operator_digest.next_morning(desk)
    return min((moment for moment in found if moment is not None), default=None)
