"""Absences during a turn: the excused seats, and the next absence of a seat."""

from collections.abc import Collection
from datetime import datetime

from referee.domain.days import Days, days_between
from referee.rules.ruleset import Seat
from referee.store import Session
from referee.store.models import Game
from referee.store.people import absences
from referee.store.people.absences import Absence


def excused(
    session: Session, game: Game, missed: Collection[Seat], moment: datetime
) -> frozenset[Seat]:
    """Return those of the seats that *missed* the turn whose players were away at *moment*."""
    away = absences.away(session, game, moment) if missed else frozenset()
    return frozenset(seat for seat in missed if seat in away)


def when(absence: Absence) -> Days:
    """Return the days of an absence; as a string they read as words."""
    return days_between(absence.begins_at, absence.ends_at, absence.zone)
