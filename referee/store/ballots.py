"""Votes and ballots in the store, while they run and after."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column, relationship

from referee.domain.votes import Motion, Outcome, Quorum
from referee.store.models import Base, Game, SeatRow, enum_of


class Vote(Base):
    """A proposal to the players of a game, and what became of it."""

    __tablename__ = "votes"
    __table_args__ = (Index("ix_votes_outcome_closes_at", "outcome", "closes_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), index=True)
    turn: Mapped[int]
    """The turn in which it was opened."""
    motion: Mapped[Motion] = mapped_column(enum_of(Motion))
    seconds: Mapped[int] = mapped_column(default=0)
    """Of EXTEND, by how much."""
    winner: Mapped[int] = mapped_column(default=0)
    """Of CONCEDE, the number of the seat to whom; else 0."""
    quorum: Mapped[Quorum] = mapped_column(enum_of(Quorum))
    secret: Mapped[bool]
    opened_by: Mapped[int]
    """Seat number."""
    opened_at: Mapped[datetime]
    closes_at: Mapped[datetime]
    outcome: Mapped[Outcome] = mapped_column(enum_of(Outcome))
    closed_at: Mapped[datetime | None]
    result: Mapped[str] = mapped_column(default="")
    """What came of it, in words for everybody."""
    told_turn: Mapped[int | None]
    """The turn whose report told the result."""

    game: Mapped[Game] = relationship()
    ballots: Mapped[list["Ballot"]] = relationship(back_populates="vote")


class Ballot(Base):
    """How a seat votes, until the vote closes."""

    __tablename__ = "ballots"

    vote_id: Mapped[int] = mapped_column(ForeignKey("votes.id"), primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    """Who cast it: it counts as long as he holds the seat."""
    yes: Mapped[bool]
    cast_at: Mapped[datetime]

    vote: Mapped[Vote] = relationship(back_populates="ballots")
    seat: Mapped[SeatRow] = relationship()
