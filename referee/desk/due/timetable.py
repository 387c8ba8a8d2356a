"""The timetable: when the referee has something to do next, if no letter comes before."""

from datetime import datetime

from referee.desk.base.site import House
from referee.desk.due import operator_digest
from referee.desk.games.absences import REMINDED_BEFORE
from referee.store import Session
from referee.store.games import due
from referee.store.mail import digests, outbox


def next_due(session: Session, house: House, now: datetime) -> datetime | None:
    """Return the first moment at which something is due; in the past if it still waits."""
    leaving = due.next_leaving(session, now + REMINDED_BEFORE)
    moments = (
        due.next_moment(session),
        leaving - REMINDED_BEFORE if leaving is not None else None,
        digests.next_due(session),
        outbox.next_due(session),
        operator_digest.next_morning(house, now),
    )
    return min((moment for moment in moments if moment is not None), default=None)
