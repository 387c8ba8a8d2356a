"""The rows about those beside the players: who is away, who orders for him, and who watches."""

from datetime import datetime
from enum import Enum

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column, relationship

from referee.store.base import Base, enum_of
from referee.store.models import Game, Person, SeatRow


class Absence(Base):
    """Days on which a player is away, as he has said; they are his, whoever has the seat later."""

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
    """Whether he was told before he left that orders are missing."""

    seat: Mapped[SeatRow] = relationship()


class DeputyState(Enum):
    """How far a deputy has come."""

    ASKED = "asked"
    ACCEPTED = "accepted"
    ACTING = "acting"
    """His days have begun, and he has the report."""
    ENDED = "ended"


class Deputy(Base):
    """Somebody who orders for a seat, beside its player, between two moments."""

    __tablename__ = "deputies"
    __table_args__ = (
        # Tokens name a deputy by his id, which is never given again.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), index=True)
    epoch: Mapped[int]
    """The seat's when he was asked: with another player, or another address of his, it is over."""
    address: Mapped[str]
    """Folded to lower case; nobody else's letters are believed."""
    person_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"))
    """None until he has accepted."""
    begins_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    """The midnight after the last day, in *zone*."""
    zone: Mapped[str]
    state: Mapped[DeputyState] = mapped_column(enum_of(DeputyState), index=True)
    by_master: Mapped[bool] = mapped_column(default=False)
    """Whether the GM asked him, and not the player."""
    asked_at: Mapped[datetime]

    seat: Mapped[SeatRow] = relationship()
    person: Mapped[Person | None] = relationship()

    @property
    def is_engaged(self) -> bool:
        """Whether he has accepted, and the seat is still that of the player he orders for."""
        accepted = self.state in (DeputyState.ACCEPTED, DeputyState.ACTING)
        return accepted and self.epoch == self.seat.epoch and self.seat.person_id is not None

    def may_order(self, moment: datetime) -> bool:
        """Say whether what he wrote at *moment* counts for the seat."""
        return self.is_engaged and self.begins_at <= moment < self.ends_at


class Observer(Base):
    """Somebody who reads the public reports of a game."""

    __tablename__ = "observers"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    read_turn: Mapped[int] = mapped_column(default=0)
    """The last turn whose report he was sent; 0 for none."""
    removed: Mapped[bool] = mapped_column(default=False)
    """Whether the GM does not want him."""
    since: Mapped[datetime]

    game: Mapped[Game] = relationship()
    person: Mapped[Person] = relationship()
