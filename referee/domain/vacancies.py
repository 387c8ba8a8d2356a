"""The arithmetic of vacant seats: how long an offer is open, and how a deadline moves."""

from datetime import datetime, timedelta
from itertools import count

from referee.domain.deadlines import landed
from referee.domain.schedules import Schedule

SHORTEST_ANSWER = timedelta(hours=12)
LONGEST_ANSWER = timedelta(days=2)
NEWCOMERS_TIME = timedelta(days=3)
"""The least time for a newcomer's first orders, unless the turn was shorter for all players."""


def answer_span(turn: timedelta) -> timedelta:
    """Return how long a standby can think about an offer: a quarter of a turn, 12 to 48 hours."""
    return min(max(turn / 4, SHORTEST_ANSWER), LONGEST_ANSWER)


def newcomers_deadline(
    schedule: Schedule, begun: datetime, due: datetime, now: datetime
) -> datetime | None:
    """Return the deadline that leaves a newcomer enough time, in UTC, or None to keep *due*.

    It is moved by whole days.
    """
    least = min(due - begun, NEWCOMERS_TIME)
    if due >= now + least:
        return None
    later = (landed(schedule, due, timedelta(days)) for days in count(1))
    return next(moment for moment in later if moment >= now + least)
