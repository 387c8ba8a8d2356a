"""Absences in the store: when the players of seats are away."""

from datetime import datetime

from sqlalchemy import ColumnElement, exists, select
from sqlalchemy.orm import Session

from referee.store.models import Game, GameStatus, SeatRow
from referee.store.standins import Absence


def of(session: Session, seat: SeatRow) -> list[Absence]:
    """Give all absences of the seat's present player, the earliest first."""
    query = select(Absence).where(*_his(seat)).order_by(Absence.begins_at)
    return list(session.scalars(query))


def at(session: Session, seat: SeatRow, moment: datetime) -> Absence | None:
    """Give the absence of the seat's present player at *moment*, or None when he is there."""
    query = select(Absence).where(
        *_his(seat), Absence.begins_at <= moment, Absence.ends_at > moment
    )
    return session.scalar(query.limit(1))


def away(session: Session, game: Game, moment: datetime) -> frozenset[int]:
    """Give the numbers of the seats whose present players are away at *moment*."""
    query = (
        select(SeatRow.number)
        .join(Absence, Absence.seat_id == SeatRow.id)
        .where(SeatRow.game_id == game.id, Absence.person_id == SeatRow.person_id)
        .where(Absence.begins_at <= moment, Absence.ends_at > moment)
    )
    return frozenset(session.scalars(query))


def leaving(session: Session, until: datetime) -> list[Absence]:
    """Give the absences that begin by *until*, into which the deadline of a running turn falls.

    Of these their players have not been reminded yet.
    """
    # A join could begin with all games that run, which are many more than those who leave.
    concerned = (
        exists()
        .where(SeatRow.id == Absence.seat_id, SeatRow.person_id == Absence.person_id)
        .where(Game.id == SeatRow.game_id, Game.status == GameStatus.RUNNING)
        .where(Absence.begins_at <= Game.deadline_at, Absence.ends_at > Game.deadline_at)
    )
    leaving = Absence.begins_at <= until, ~Absence.reminded
    return list(session.scalars(select(Absence).where(*leaving, concerned).order_by(Absence.id)))


def _his(seat: SeatRow) -> tuple[ColumnElement[bool], ...]:
    return Absence.seat_id == seat.id, Absence.person_id == seat.person_id
