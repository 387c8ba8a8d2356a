"""Counters against guessing security codes and against endless automatic replies."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache

from sqlalchemy import (
    BindParameter,
    ForeignKey,
    Index,
    Insert,
    Select,
    String,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base, enum_of, table
from referee.store.models import Person


class WrongCode(Base):
    """A wrong security code in a letter from the primary address."""

    __tablename__ = "wrong_codes"

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    at: Mapped[datetime] = mapped_column(index=True)


class ReplyBudget(Enum):
    """The budget from which a letter was answered."""

    CHANGE = "change"
    """The letter was believed and changed something, such as the orders on file."""
    WORK = "work"
    """The letter asked for something that could be done."""
    QUESTION = "question"
    """The letter is pending, and the primary address was asked to confirm it."""
    CODE = "code"
    """The letter is pending, too, and has the right security code: no one else uses it up."""
    IDLE = "idle"
    """Nothing in the letter could be done."""
    STRANGER = "stranger"
    """The letter came from an unknown address, or, if it is proven, from another person."""
    NEWCOMER = "newcomer"
    """The letter came from an unknown address, which was asked to confirm that it joins."""
    LAST = "last"
    """The answer that says that answers stop for a while."""


@dataclass(frozen=True, slots=True)
class Purse:
    """A budget for letters to one recipient, in answer to letters of one degree of proof.

    What forged letters cost is never taken from the purse of proven ones. *thread* is the game
    that the letters are about, or empty; *domain* is the domain that a stranger's letter came from.
    """

    budget: ReplyBudget
    recipient: str
    proven: bool
    thread: str = ""
    domain: str = ""


class ReplyCount(Base):
    """A letter that answered another, counted against the budgets of its recipient."""

    __tablename__ = "reply_counts"
    __table_args__ = (Index("ix_reply_counts_recipient_at", "recipient", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    recipient: Mapped[str]
    """The recipient of the answer."""
    thread: Mapped[str]
    """The game that the answer was about, or empty."""
    ration: Mapped[ReplyBudget] = mapped_column(enum_of(ReplyBudget))
    proven: Mapped[bool]
    """Whether the letter that was answered had a proven sender."""
    domain: Mapped[str]
    """The domain that a stranger's letter came from, or empty."""
    octets: Mapped[int]
    """The size of the answer."""
    at: Mapped[datetime] = mapped_column(index=True)


def note_wrong_code(session: Session, person: Person, now: datetime) -> None:
    """Count a wrong security code in a letter from the person's address."""
    session.add(WrongCode(person_id=person.id, at=now))
    session.flush()


def wrong_codes_for(session: Session, person: Person, since: datetime) -> list[datetime]:
    """Return when wrong codes for the person came after *since*, oldest first."""
    query = select(WrongCode.at).where(WrongCode.person_id == person.id, WrongCode.at > since)
    return list(session.scalars(query.order_by(WrongCode.at)))


def note_answer(session: Session, purse: Purse, octets: int, now: datetime) -> None:
    """Count a letter of *octets* that answers another."""
    values = {
        "recipient": purse.recipient,
        "thread": purse.thread,
        "ration": purse.budget,
        "proven": purse.proven,
        "domain": purse.domain,
        "octets": octets,
        "at": now,
    }
    session.execute(_noting(), values)


@dataclass(frozen=True, slots=True)
class Spent:
    """The spending from a purse: letters in the last hour, letters and octets in the last day."""

    hour: int
    day: int
    octets: int


def spent(session: Session, purse: Purse, now: datetime, *, by_thread: bool) -> Spent:
    """Return the spending from a purse; *by_thread* counts only its thread in the hour."""
    asked = {
        "ration": purse.budget,
        "proven": purse.proven,
        "recipient": purse.recipient,
        "hour": now - timedelta(hours=1),
        "day": now - timedelta(days=1),
        "thread": purse.thread if by_thread else None,
    }
    return Spent(*session.execute(_spending(), asked).one())


@dataclass(frozen=True, slots=True)
class SpentOnStrangers:
    """The letters to strangers since some time: to all of them, and for one sending domain."""

    all: int
    domain: int


def spent_on_strangers(session: Session, purse: Purse, since: datetime) -> SpentOnStrangers:
    """Return how many letters from the purse's budget went to strangers after *since*."""
    of_domain = func.count().filter(ReplyCount.domain == purse.domain)
    unproven = ReplyCount.proven.is_(False)
    query = select(func.count(), of_domain).where(ReplyCount.ration == purse.budget, unproven)
    return SpentOnStrangers(*session.execute(query.where(ReplyCount.at > since)).one())


def was_noted(session: Session, purse: Purse, since: datetime) -> bool:
    """Return whether a letter was counted against the purse after *since*."""
    query = select(ReplyCount.id).where(
        ReplyCount.recipient == purse.recipient,
        ReplyCount.ration == purse.budget,
        ReplyCount.proven == purse.proven,
        ReplyCount.at > since,
    )
    return session.scalar(query.limit(1)) is not None


def give_back(
    session: Session,
    recipients: Collection[str],
    rations: Collection[ReplyBudget],
    since: datetime,
) -> None:
    """Delete the newest count after *since* of an answer to one of the recipients from these."""
    newest = (
        select(ReplyCount.id)
        .where(ReplyCount.recipient.in_(recipients), ReplyCount.at > since)
        .where(ReplyCount.ration.in_(rations))
        .order_by(ReplyCount.id.desc())
        .limit(1)
    )
    if (number := session.scalar(newest)) is not None:
        session.execute(delete(ReplyCount).where(ReplyCount.id == number))


@cache
def _noting() -> Insert:
    return insert(table(ReplyCount))


@cache
def _spending() -> Select[int, int, int]:
    answered = table(ReplyCount).c
    thread: BindParameter[str | None] = bindparam("thread", type_=String)
    of_thread = or_(thread.is_(None), answered.thread == thread)
    hour = func.count().filter(answered.at > bindparam("hour"), of_thread)
    return select(hour, func.count(), func.coalesce(func.sum(answered.octets), 0)).where(
        answered.recipient == bindparam("recipient"),
        answered.ration == bindparam("ration"),
        answered.proven == bindparam("proven"),
        answered.at > bindparam("day"),
    )
