"""The rows about people and seats over time: who left, who stands by, what was offered."""

from datetime import datetime
from enum import Enum

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from referee.domain.reliability import Punctuality
from referee.store.base import Base, enum_of
from referee.store.models import Person, SeatRow


class LeaveReason(Enum):
    """Why somebody has no part in a game any more."""

    RESIGNED = "resigned"
    SILENT = "silent"
    """His seat was offered because he sent nothing, and somebody took it."""
    REMOVED = "removed"
    """The GM took the seat from him."""
    DEMOTED = "demoted"
    """He was a GM."""


class Leaving(Base):
    """Somebody left a game that had begun, and knows what he saw there."""

    __tablename__ = "leavings"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), index=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seats.id"))
    """The seat he held; None for a GM."""
    reason: Mapped[LeaveReason] = mapped_column(enum_of(LeaveReason))
    at: Mapped[datetime]


class Standby(Base):
    """A person who would take a seat that falls vacant."""

    __tablename__ = "standbys"
    __table_args__ = (UniqueConstraint("person_id", "scope"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    scope: Mapped[str] = mapped_column(index=True)
    """Where: the name of a game, the key of a ruleset, or ``ALL``."""
    since: Mapped[datetime]


class OfferState(Enum):
    """What has become of the offer of a seat."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    LAPSED = "lapsed"
    """No answer came in time."""
    WITHDRAWN = "withdrawn"
    """The seat is not to be had any more."""


class Offer(Base):
    """A seat that was offered to a standby, who may take it until a moment."""

    __tablename__ = "offers"
    __table_args__ = (
        Index("ix_offers_state_seat_id", "state", "seat_id"),
        Index("ix_offers_seat_id_made_at", "seat_id", "made_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    state: Mapped[OfferState] = mapped_column(enum_of(OfferState))
    made_at: Mapped[datetime]
    until: Mapped[datetime]

    seat: Mapped[SeatRow] = relationship()
    person: Mapped[Person] = relationship()


class Attendance(Base):
    """How a player met the deadline of one turn."""

    __tablename__ = "attendances"
    __table_args__ = (UniqueConstraint("seat_id", "turn", "undone"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    turn: Mapped[int]
    punctuality: Mapped[Punctuality] = mapped_column(enum_of(Punctuality))
    undone: Mapped[int] = mapped_column(default=0)
    """Which rollback of the game undid the turn; 0 while it counts."""
