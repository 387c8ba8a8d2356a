"""What an absence means for a turn: who is excused, and when."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from referee.domain.days import Days, days_between
from referee.rules.ruleset import Seat
from referee.store import Session
from referee.store.models import Game, SeatRow
from referee.store.people import absences
from referee.store.people.absences import Absence

REMINDED_BEFORE: Final = timedelta(days=1)
"""Who leaves while his orders are missing is reminded once, so long before."""


def excused(
    session: Session, game: Game, missed: Collection[Seat], moment: datetime
) -> frozenset[Seat]:
    """Return those of the seats that *missed* the turn whose players were away at *moment*."""
    away = absences.away(session, game, moment) if missed else frozenset()
    return frozenset(seat for seat in missed if seat in away)


def note(session: Session, row: SeatRow, now: datetime) -> str:
    """Say in STATUS, to the GM, when the player of a seat is away next; nothing when he is not."""
    coming = (each for each in absences.of(session, row) if each.ends_at > now)
    absence = next(coming, None)
    return f"away {when(absence)}" if absence is not None else ""


def when(absence: Absence) -> Days:
    """Return the days of an absence, which are words as well."""
    return days_between(absence.begins_at, absence.ends_at, absence.zone)
