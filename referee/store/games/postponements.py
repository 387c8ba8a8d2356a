"""Postponements: what the referee moved because of an outage, kept in case its clock was wrong."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from sqlalchemy import ForeignKey, delete, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.store.database.base import Base, enum_of
from referee.store.models import Game

_KEPT: Final = timedelta(days=400)


class Postponed(Enum):
    """The kind of date that was moved."""

    DEADLINE = "deadline"
    VOTE = "vote"
    OFFER = "offer"


class Postponement(Base):
    """A deadline, vote or offer of a seat that the referee moved by itself because of an outage."""

    __tablename__ = "postponements"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), index=True)
    turn: Mapped[int]
    what: Mapped[Postponed] = mapped_column(enum_of(Postponed))
    subject: Mapped[int]
    """The id of the vote or the offer; 0 for a deadline."""
    before: Mapped[datetime]
    after: Mapped[datetime]
    moved_at: Mapped[datetime] = mapped_column(index=True)
    """The time by the clock that showed the outage."""

    game: Mapped[Game] = relationship()


@dataclass(frozen=True, slots=True)
class Shift:
    """The times before and after a move."""

    before: datetime
    after: datetime


def note(
    session: Session, game: Game, shift: Shift, now: datetime, vote: int = 0, offer: int = 0
) -> None:
    """Record the move of a vote or an offer, by its id, or else of the deadline of the game."""
    what = Postponed.VOTE if vote else Postponed.OFFER if offer else Postponed.DEADLINE
    row = Postponement(
        game=game,
        turn=game.turn,
        what=what,
        subject=vote or offer,
        before=shift.before,
        after=shift.after,
        moved_at=now,
    )
    session.add(row)
    session.flush()


def count_in_turn(session: Session, game: Game) -> int:
    """Return how often the deadline of the current turn was moved because of an outage."""
    query = select(func.count()).where(
        Postponement.game_id == game.id,
        Postponement.turn == game.turn,
        Postponement.what == Postponed.DEADLINE,
    )
    return session.scalar(query) or 0


def take_later(session: Session, now: datetime) -> list[Postponement]:
    """Return and delete the moves by a clock that was ahead of *now*, newest first."""
    query = select(Postponement).where(Postponement.moved_at > now)
    found = list(session.scalars(query.order_by(Postponement.id.desc())))
    for row in found:
        session.delete(row)
    return found


def prune(session: Session, now: datetime) -> None:
    """Delete the moves that are too old to be undone."""
    session.execute(delete(Postponement).where(Postponement.moved_at < now - _KEPT))
