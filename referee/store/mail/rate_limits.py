"""Counters against guessing security codes and against endless automatic replies."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache

from sqlalchemy import (
    BindParameter,
    ForeignKey,
    Index,
    Select,
    String,
    bindparam,
    func,
    insert,
    or_,
    select,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base, enum_of
from referee.store.database.dialect import table
from referee.store.models import Person


class WrongCode(Base):
    """A wrong security code in a letter from the primary address."""

    __tablename__ = "wrong_codes"

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    sender: Mapped[str] = mapped_column(index=True)
    """The envelope sender, or else the From."""
    at: Mapped[datetime] = mapped_column(index=True)


class ReplyBudget(Enum):
    """The budget from which a letter was answered."""

    WORK = "work"
    """The letter had something that could be done."""
    QUESTION = "question"
    """The letter is pending, and the primary address was asked to confirm it."""
    IDLE = "idle"
    """Nothing in the letter could be done."""
    STRANGER = "stranger"
    """The letter came from an unknown address."""
    LAST = "last"
    """The answer that says that answers stop for a while."""


class ReplyCount(Base):
    """An answered letter, counted against the budgets of its sender."""

    __tablename__ = "reply_counts"
    __table_args__ = (Index("ix_reply_counts_recipient_at", "recipient", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    recipient: Mapped[str]
    """The recipient of the answer."""
    thread: Mapped[str]
    """The game it was about, or empty."""
    ration: Mapped[ReplyBudget] = mapped_column(enum_of(ReplyBudget))
    at: Mapped[datetime] = mapped_column(index=True)


def note_wrong_code(session: Session, person: Person, sender: str, now: datetime) -> None:
    """Count a wrong security code in a letter from the person's address."""
    session.add(WrongCode(person_id=person.id, sender=sender, at=now))
    session.flush()


def wrong_codes_for(session: Session, person: Person, since: datetime) -> list[datetime]:
    """Return when wrong codes for the person came after *since*, oldest first."""
    query = select(WrongCode.at).where(WrongCode.person_id == person.id, WrongCode.at > since)
    return list(session.scalars(query.order_by(WrongCode.at)))


def wrong_codes_from(session: Session, sender: str, since: datetime) -> int:
    """Return the number of wrong codes by a sender after *since*, for any person."""
    query = select(func.count()).where(WrongCode.sender == sender, WrongCode.at > since)
    return session.scalar(query) or 0


def note_answer(
    session: Session, recipient: str, thread: str, ration: ReplyBudget, now: datetime
) -> None:
    """Count an answered letter."""
    values = {"recipient": recipient, "thread": thread, "ration": ration, "at": now}
    session.execute(insert(table(ReplyCount)), values)


@dataclass(frozen=True, slots=True)
class Spent:
    """The number of letters answered from a budget in the last hour and day."""

    hour: int
    day: int


def spent(
    session: Session, ration: ReplyBudget, recipient: str, now: datetime, thread: str | None = None
) -> Spent:
    """Return how much of a recipient's budget is spent.

    With *thread*, the hour counts only that thread.
    """
    asked = {
        "ration": ration,
        "recipient": recipient,
        "hour": now - timedelta(hours=1),
        "day": now - timedelta(days=1),
        "thread": thread,
    }
    return Spent(*session.execute(_spending(), asked).one())


def answers(
    session: Session, since: datetime, ration: ReplyBudget, recipient: str | None = None
) -> int:
    """Return the number of answers after *since* from a budget, to one recipient or all."""
    query = select(func.count()).where(ReplyCount.at > since, ReplyCount.ration == ration)
    if recipient is not None:
        query = query.where(ReplyCount.recipient == recipient)
    return session.scalar(query) or 0


@cache
def _spending() -> Select[int, int]:
    answered = table(ReplyCount).c
    thread: BindParameter[str | None] = bindparam("thread", type_=String)
    of_thread = or_(thread.is_(None), answered.thread == thread)
    hour = func.count().filter(answered.at > bindparam("hour"), of_thread)
    return select(hour, func.count()).where(
        answered.recipient == bindparam("recipient"),
        answered.ration == bindparam("ration"),
        answered.at > bindparam("day"),
    )
