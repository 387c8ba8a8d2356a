"""Former players: people who have left a game after its start."""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum

from sqlalchemy import ForeignKey, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.store.database.base import Base, enum_of
from referee.store.models import Game, Person, SeatRow


class LeaveReason(Enum):
    """Why a person left a game."""

    RESIGNED = "resigned"
    SILENT = "silent"
    """Their seat was offered because they sent nothing, and another person took it."""
    REMOVED = "removed"
    """The GM removed them from the seat."""
    DEMOTED = "demoted"
    """They were a GM."""


class FormerPlayer(Base):
    """A person who left a game after its start, and knows what they saw there."""

    __tablename__ = "former_players"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), index=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seats.id"))
    """The seat they held; None for a GM."""
    reason: Mapped[LeaveReason] = mapped_column(enum_of(LeaveReason))
    at: Mapped[datetime]

    person: Mapped[Person] = relationship()


def note(
    session: Session,
    game: Game,
    person: Person,
    reason: LeaveReason,
    now: datetime,
    seat: SeatRow | None = None,
) -> None:
    """Record that a person has left: *seat* is the one they held, None for a GM."""
    session.add(
        FormerPlayer(
            game_id=game.id,
            person_id=person.id,
            seat_id=seat.id if seat is not None else None,
            reason=reason,
            at=now,
        )
    )


def of(session: Session, game: Game, person: Person) -> list[FormerPlayer]:
    """Return when and why the person has left the game, oldest first."""
    query = select(FormerPlayer).where(
        FormerPlayer.game_id == game.id, FormerPlayer.person_id == person.id
    )
    return list(session.scalars(query.order_by(FormerPlayer.id)))


def all_of(session: Session, game: Game) -> list[FormerPlayer]:
    """Return all who have left the game, oldest first."""
    query = select(FormerPlayer).where(FormerPlayer.game_id == game.id)
    return list(session.scalars(query.order_by(FormerPlayer.id)))


def who_had_a_seat(session: Session, game: Game) -> frozenset[int]:
    """Return the ids of the people who have left a seat of the game."""
    query = select(FormerPlayer.person_id).where(
        FormerPlayer.game_id == game.id, FormerPlayer.seat_id.is_not(None)
    )
    return frozenset(session.scalars(query))


def last_left(session: Session, game: Game) -> Mapping[int, datetime]:
    """Return when a player last left each seat of the game that was left, by the id of the seat."""
    seat = FormerPlayer.seat_id
    query = select(seat, func.max(FormerPlayer.at)).where(
        FormerPlayer.game_id == game.id, seat.is_not(None)
    )
    return {row: at for row, at in session.execute(query.group_by(seat)) if row is not None}
