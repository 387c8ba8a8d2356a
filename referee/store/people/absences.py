"""Absences: when the players of seats are away."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, ForeignKey, Index, exists, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.store.database.base import Base
from referee.store.models import Game, GameStatus, SeatRow

REMINDED_BEFORE: Final = timedelta(days=1)
"""How long before an absence its player is reminded of orders that are due while they are away."""


class Absence(Base):
    """Days on which a player is away; they belong to the person, not to the seat."""

    __tablename__ = "absences"
    __table_args__ = (Index("ix_absences_reminded_begins_at", "reminded", "begins_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), index=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    begins_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    """The midnight after the last day, in *zone*."""
    zone: Mapped[str]
    reminded: Mapped[bool] = mapped_column(default=False)
    """Whether the player was reminded of missing orders before the absence."""

    seat: Mapped[SeatRow] = relationship()


def of(session: Session, seat: SeatRow) -> list[Absence]:
    """Return all absences of the seat's present player, the earliest first."""
    query = select(Absence).where(*_of_holder(seat)).order_by(Absence.begins_at)
    return list(session.scalars(query))


def ahead(session: Session, game: Game, moment: datetime) -> dict[int, Absence]:
    """Return the first absence that ends after *moment* of each present player, by seat id."""
    query = select(Absence).join(SeatRow, Absence.seat_id == SeatRow.id)
    query = query.where(SeatRow.game_id == game.id, Absence.person_id == SeatRow.person_id)
    last_first = query.where(Absence.ends_at > moment).order_by(Absence.begins_at.desc())
    return {each.seat_id: each for each in session.scalars(last_first)}


def at(session: Session, seat: SeatRow, moment: datetime) -> Absence | None:
    """Return the absence of the seat's present player at *moment*, or None."""
    query = select(Absence).where(
        *_of_holder(seat), Absence.begins_at <= moment, Absence.ends_at > moment
    )
    return session.scalar(query.limit(1))


def away(session: Session, game: Game, moment: datetime) -> frozenset[int]:
    """Return the numbers of the seats whose present players are away at *moment*."""
    query = (
        select(SeatRow.number)
        .join(Absence, Absence.seat_id == SeatRow.id)
        .where(SeatRow.game_id == game.id, Absence.person_id == SeatRow.person_id)
        .where(Absence.begins_at <= moment, Absence.ends_at > moment)
    )
    return frozenset(session.scalars(query))


def leaving(session: Session, now: datetime) -> list[Absence]:
    """Return the absences that begin within a day and include the deadline of a running turn.

    Absences whose player was already reminded are left out.
    """
    query = select(Absence).where(~Absence.reminded, concerned())
    soon = query.where(Absence.begins_at <= now + REMINDED_BEFORE)
    return list(session.scalars(soon.order_by(Absence.id)))


def concerned() -> ColumnElement[bool]:
    """Return the condition that an absence includes the deadline of a running turn."""
    # A join could start from all running games, which are many more than the absences.
    return (
        exists()
        .where(SeatRow.id == Absence.seat_id, SeatRow.person_id == Absence.person_id)
        .where(Game.id == SeatRow.game_id, Game.status == GameStatus.RUNNING)
        .where(Absence.begins_at <= Game.deadline_at, Absence.ends_at > Game.deadline_at)
    )


def _of_holder(seat: SeatRow) -> tuple[ColumnElement[bool], ...]:
    return Absence.seat_id == seat.id, Absence.person_id == seat.person_id
