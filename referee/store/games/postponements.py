"""Postponements: what the referee moved because of an outage, kept in case its clock was wrong."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ForeignKey, Index, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.domain.outages import Outage
from referee.store.database.base import Base
from referee.store.models import Game

DEADLINE: Final = "games.deadline_at"
OUTAGE: Final = "inbox.read_at"
"""The outage itself, which gives its time to all emails that wait for a CONFIRM."""


class Postponement(Base):
    """A moment that the referee moved by itself because of an outage."""

    __tablename__ = "postponements"
    __table_args__ = (Index("ix_postponements_what_after", "what", "after"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"), index=True)
    turn: Mapped[int]
    what: Mapped[str]
    """The name of the moment in the register."""
    subject: Mapped[int]
    """The id of its row; 0 for an outage itself."""
    before: Mapped[datetime]
    after: Mapped[datetime]
    moved_at: Mapped[datetime] = mapped_column(index=True)
    """The time by the clock that showed the outage."""

    game: Mapped[Game | None] = relationship()


@dataclass(frozen=True, slots=True)
class Shift:
    """The times before and after a move."""

    before: datetime
    after: datetime


def game_of(row: Any) -> Game | None:
    """Return the game that a row with a moment belongs to, or None."""
    if isinstance(row, Game):
        return row
    seat = getattr(row, "seat", None)
    found: Game | None = seat.game if seat is not None else getattr(row, "game", None)
    return found


def note(session: Session, what: str, row: Any, shift: Shift, now: datetime) -> None:
    """Record the move of a moment of a row; None for the outage itself."""
    game = game_of(row)
    found = Postponement(
        game=game,
        turn=game.turn if game is not None else 0,
        what=what,
        subject=row.id if row is not None else 0,
        before=shift.before,
        after=shift.after,
        moved_at=now,
    )
    session.add(found)
    session.flush()


def count_in_turn(session: Session, game: Game) -> int:
    """Return how often the deadline of the current turn was moved because of an outage."""
    query = select(func.count()).where(
        Postponement.game_id == game.id,
        Postponement.turn == game.turn,
        Postponement.what == DEADLINE,
    )
    return session.scalar(query) or 0


def lost(session: Session, since: datetime) -> timedelta:
    """Return the time that outages since a moment took from emails that wait for a CONFIRM."""
    query = select(Postponement.before, Postponement.after)
    found = session.execute(query.where(Postponement.what == OUTAGE, Postponement.after > since))
    return sum((after - before for before, after in found), timedelta(0))


def outage_after(session: Session, now: datetime) -> Outage | None:
    """Return the outage, real or not, seen by a clock that was ahead of *now*; None if none was."""
    query = select(func.min(Postponement.before), func.max(Postponement.moved_at))
    query = query.where(Postponement.what == OUTAGE, Postponement.moved_at > now)
    found = session.execute(query.having(func.count() > 0)).one_or_none()
    return Outage(*found) if found is not None else None


def set_back(session: Session, now: datetime, ahead: timedelta) -> None:
    """Keep the moves by a clock that was *ahead* of *now* as moves by the right one."""
    for row in session.scalars(select(Postponement).where(Postponement.moved_at > now)):
        row.moved_at -= ahead


def take_later(session: Session, now: datetime) -> list[Postponement]:
    """Return and delete the moves by a clock that was ahead of *now*, newest first."""
    query = select(Postponement).where(Postponement.moved_at > now)
    found = list(session.scalars(query.order_by(Postponement.id.desc())))
    for row in found:
        session.delete(row)
    return found
