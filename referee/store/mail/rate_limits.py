"""What is counted so that nobody guesses codes and no two programs write to each other forever."""

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
    """A security code that did not fit, in a letter from the address of record."""

    __tablename__ = "wrong_codes"

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    sender: Mapped[str] = mapped_column(index=True)
    """The envelope's sender, or else the From."""
    at: Mapped[datetime] = mapped_column(index=True)


class ReplyBudget(Enum):
    """From which budget a letter was answered."""

    WORK = "work"
    """It had something that could be done."""
    QUESTION = "question"
    """It is held, and the address of record was asked about it."""
    IDLE = "idle"
    """Nothing in it could be done."""
    STRANGER = "stranger"
    """It came from nobody we know."""
    LAST = "last"
    """The letter that says that answers stop for a while."""


class ReplyCount(Base):
    """A letter was answered: counted against the budgets of its sender."""

    __tablename__ = "reply_counts"
    __table_args__ = (Index("ix_reply_counts_recipient_at", "recipient", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    recipient: Mapped[str]
    """Who got the answer."""
    thread: Mapped[str]
    """The game it was about; empty for none."""
    ration: Mapped[ReplyBudget] = mapped_column(enum_of(ReplyBudget))
    at: Mapped[datetime] = mapped_column(index=True)


def note_wrong_code(session: Session, person: Person, sender: str, now: datetime) -> None:
    """Count a wrong security code in a letter that bears the person's address."""
    session.add(WrongCode(person_id=person.id, sender=sender, at=now))
    session.flush()


def wrong_codes_for(session: Session, person: Person, since: datetime) -> list[datetime]:
    """Return when wrong codes came for the person after *since*, oldest first."""
    query = select(WrongCode.at).where(WrongCode.person_id == person.id, WrongCode.at > since)
    return list(session.scalars(query.order_by(WrongCode.at)))


def wrong_codes_from(session: Session, sender: str, since: datetime) -> int:
    """Return how many wrong codes a sender has given after *since*, for whomever."""
    query = select(func.count()).where(WrongCode.sender == sender, WrongCode.at > since)
    return session.scalar(query) or 0


def note_answer(
    session: Session, recipient: str, thread: str, ration: ReplyBudget, now: datetime
) -> None:
    """Count a letter that was answered."""
    values = {"recipient": recipient, "thread": thread, "ration": ration, "at": now}
    session.execute(insert(table(ReplyCount)), values)


@dataclass(frozen=True, slots=True)
class Spent:
    """How many letters were answered from a budget, in the last hour and the last day."""

    hour: int
    day: int


def spent(
    session: Session, ration: ReplyBudget, recipient: str, now: datetime, thread: str | None = None
) -> Spent:
    """Return how much of a recipient's budget is spent; with *thread* the hour's is that
    thread's."""
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
    """Return how many letters were answered after *since* from a budget, to one or to all."""
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
