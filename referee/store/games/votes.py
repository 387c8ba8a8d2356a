"""Votes and ballots, while a vote is open and after it; calls to the GM by votes and messages."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from sqlalchemy import ForeignKey, Index, Select, bindparam, func, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.domain.votes import ENDINGS, Motion, Quorum, VoteResult
from referee.store.database.base import Base, enum_of
from referee.store.games.press import Press
from referee.store.models import Game, InboxLetter, SeatRow

GM_NUMBER = 0
"""The number of the GM among the recipients of a message."""


def called_gm(session: Session, game: Game, turn: int, after: datetime, until: datetime) -> bool:
    """Return whether a player called the GM by *turn*, at a moment from *after* to *until*."""
    opened = select(func.count()).where(
        Vote.game_id == game.id,
        Vote.motion != Motion.GM,
        Vote.turn <= turn,
        Vote.opened_at > after,
        Vote.opened_at <= until,
    )
    if session.scalar(opened):
        return True
    reached = func.coalesce(Press.due_at, InboxLetter.arrived_at)
    written = (
        select(Press.recipients)
        .join(InboxLetter, InboxLetter.id == Press.letter_id)
        .where(Press.game_id == game.id, Press.sender != GM_NUMBER, Press.turn <= turn)
        .where(Press.delivered_turn.is_not(None))
        .where(reached > after, reached <= until)
    )
    return any(GM_NUMBER in recipients for recipients in session.scalars(written))


class Vote(Base):
    """A proposal to the players of a game, with its result."""

    __tablename__ = "votes"
    __table_args__ = (Index("ix_votes_outcome_closes_at", "outcome", "closes_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), index=True)
    turn: Mapped[int]
    """The turn in which the vote was opened."""
    motion: Mapped[Motion] = mapped_column(enum_of(Motion))
    seconds: Mapped[int] = mapped_column(default=0)
    """For EXTEND, the length of the extension."""
    winner: Mapped[int] = mapped_column(default=0)
    """For CONCEDE, the number of the winning seat; else 0."""
    quorum: Mapped[Quorum] = mapped_column(enum_of(Quorum))
    secret: Mapped[bool]
    opened_by: Mapped[int]
    """The seat number."""
    opened_at: Mapped[datetime]
    closes_at: Mapped[datetime]
    outcome: Mapped[VoteResult] = mapped_column(enum_of(VoteResult))
    closed_at: Mapped[datetime | None]
    result: Mapped[str] = mapped_column(default="")
    """The result in words for everybody."""
    told_turn: Mapped[int | None]
    """The turn whose report contained the result."""

    game: Mapped[Game] = relationship()
    ballots: Mapped[list["Ballot"]] = relationship(back_populates="vote")


class Ballot(Base):
    """The vote of a seat, kept until the vote closes."""

    __tablename__ = "ballots"

    vote_id: Mapped[int] = mapped_column(ForeignKey("votes.id"), primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    """The voter: it counts while they hold the seat."""
    yes: Mapped[bool]
    cast_at: Mapped[datetime]

    vote: Mapped[Vote] = relationship(back_populates="ballots")
    seat: Mapped[SeatRow] = relationship()


def running(session: Session, game: Game) -> list[Vote]:
    """Return the open votes of the game, oldest first."""
    return list(session.scalars(_running(), {"game": game.id}))


def untold(session: Session, game: Game) -> list[Vote]:
    """Return the closed votes that were in no report yet, oldest first."""
    return list(session.scalars(_untold(), {"game": game.id}))


def closed(session: Session, game: Game) -> list[Vote]:
    """Return the closed votes of the game, newest first."""
    query = select(Vote).where(Vote.game_id == game.id, Vote.outcome != VoteResult.OPEN)
    return list(session.scalars(query.order_by(Vote.id.desc())))


def ending(session: Session, game: Game) -> Vote | None:
    """Return the vote that has ended the game, or None."""
    query = select(Vote).where(Vote.game_id == game.id, Vote.motion.in_(ENDINGS))
    return session.scalar(query.where(Vote.outcome == VoteResult.PASSED))


def opened(session: Session, seat: SeatRow, motion: Motion, turn: int) -> int:
    """Return the number of votes of a kind that the seat has opened in a turn.

    One that became void does not count, except on another GM: its proposer can make it void.
    """
    query = select(func.count()).where(Vote.game_id == seat.game_id, Vote.motion == motion)
    query = query.where(or_(Vote.outcome != VoteResult.VOID, Vote.motion == Motion.GM))
    return session.scalar(query.where(Vote.opened_by == seat.number, Vote.turn == turn)) or 0


def cast(session: Session, vote: Vote, seat: SeatRow, now: datetime, *, yes: bool) -> None:
    """Record the ballot of the seat's holder, replacing an earlier one."""
    assert seat.person_id is not None
    mine = next((ballot for ballot in vote.ballots if ballot.seat_id == seat.id), None)
    if mine is None:
        mine = Ballot(seat_id=seat.id, person_id=seat.person_id, yes=yes, cast_at=now)
        vote.ballots.append(mine)
    mine.person_id, mine.yes, mine.cast_at = seat.person_id, yes, now
    session.flush()


def forget(session: Session, ballots: Sequence[Ballot]) -> None:
    """Delete ballots that do not count or that must stay secret."""
    for ballot in ballots:
        ballot.vote.ballots.remove(ballot)
        session.delete(ballot)
    session.flush()


@cache
def _running() -> Select[Vote]:
    query = select(Vote).where(Vote.game_id == bindparam("game"), Vote.outcome == VoteResult.OPEN)
    return query.order_by(Vote.id)


@cache
def _untold() -> Select[Vote]:
    query = select(Vote).where(Vote.game_id == bindparam("game"), Vote.outcome != VoteResult.OPEN)
    return query.where(Vote.told_turn.is_(None)).order_by(Vote.id)
