"""The timetable: when work is due next, if no letter comes before."""

from datetime import datetime

from referee.desk.base.desk import Desk
from referee.desk.due import operator_digest
from referee.desk.games import reminders
from referee.desk.games.absences import REMINDED_BEFORE
from referee.store.games import due_games
from referee.store.mail import digests, outbox


def is_due(desk: Desk) -> bool:
    """Return whether a game, vote, message, reminder, digest or address change is due now.

    Emails to be sent and the operator's digest have their own times.
    """
    session = desk.session
    if digests.is_due(session, desk.now) or reminders.leaving(session, desk.now):
        return True
    first = due_games.next_moment(session)
    return first is not None and first <= desk.now


def next_due(desk: Desk) -> datetime | None:
    """Return the first moment at which something is due; in the past if it still waits."""
    session = desk.session
    leaving = due_games.next_leaving(session, desk.now + REMINDED_BEFORE)
    moments = (
        due_games.next_moment(session),
        leaving - REMINDED_BEFORE if leaving is not None else None,
        digests.next_due(session),
        outbox.next_due(session),
        operator_digest.next_morning(desk),
    )
    return min((moment for moment in moments if moment is not None), default=None)
