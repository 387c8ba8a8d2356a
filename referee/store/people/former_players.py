"""Those who have left a game that had begun, in the store."""

from datetime import datetime
from enum import Enum

from sqlalchemy import ForeignKey, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base, enum_of
from referee.store.models import Game, Person, SeatRow


class LeaveReason(Enum):
    """Why somebody has no part in a game any more."""

    RESIGNED = "resigned"
    SILENT = "silent"
    """His seat was offered because he sent nothing, and somebody took it."""
    REMOVED = "removed"
    """The GM took the seat from him."""
    DEMOTED = "demoted"
    """He was a GM."""


class FormerPlayer(Base):
    """Somebody left a game that had begun, and knows what he saw there."""

    __tablename__ = "former_players"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), index=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seats.id"))
    """The seat he held; None for a GM."""
    reason: Mapped[LeaveReason] = mapped_column(enum_of(LeaveReason))
    at: Mapped[datetime]


def note(
    session: Session,
    game: Game,
    person: Person,
    reason: LeaveReason,
    now: datetime,
    seat: SeatRow | None = None,
) -> None:
    """Write down that somebody has left: *seat* is the one he held, None for a GM."""
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
    """Return how often and why the person has left the game, first to last."""
    query = select(FormerPlayer).where(
        FormerPlayer.game_id == game.id, FormerPlayer.person_id == person.id
    )
    return list(session.scalars(query.order_by(FormerPlayer.id)))
