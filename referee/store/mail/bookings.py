"""Bookings: what was spent of each thing from each purse, by the minute."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Select, String, bindparam, cast, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base, insert_or_add, table

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


class Booking(Base):
    """The amount of a thing that was spent from one purse within a minute.

    A flood of emails is one row for a purse and a minute.
    """

    __tablename__ = "bookings"

    thing: Mapped[str] = mapped_column(String(20), primary_key=True)
    purse: Mapped[str] = mapped_column(primary_key=True)
    minute: Mapped[datetime] = mapped_column(primary_key=True, index=True)
    amount: Mapped[int] = mapped_column(BigInteger)


class Purse(NamedTuple):
    """The store of one thing that one payer spends from."""

    thing: str
    payer: str


class Spent(NamedTuple):
    """The spending from a purse in the last hour, and in the last day."""

    hour: int
    day: int


def add(session: Session, amounts: Mapping[Purse, int], now: datetime) -> None:
    """Add amounts to those of this minute."""
    minute = now.replace(second=0, microsecond=0)
    # In one order, so that two transactions cannot wait for each other.
    rows = [
        {"thing": purse.thing, "purse": purse.payer, "minute": minute, "amount": amounts[purse]}
        for purse in sorted(amounts)
        if amounts[purse]
    ]
    if rows:
        insert_or_add(session, Booking, "amount", rows)


def spent(
    session: Session, purses: Collection[Purse] | None, now: datetime
) -> Mapping[Purse, Spent]:
    """Return the spending from those of the purses, or of all, that had any in the last day."""
    asked: dict[str, Any] = {"hour": now - HOUR, "day": now - DAY}
    query = _spent()
    if purses is not None:
        query = _spent_from()
        asked |= {
            "things": list({purse.thing for purse in purses}),
            "payers": list({purse.payer for purse in purses}),
        }
    found = session.execute(query, asked)
    return {Purse(thing, payer): Spent(hour, day) for thing, payer, hour, day in found}


def newest(
    session: Session, purses: Collection[Purse], now: datetime
) -> tuple[Purse, datetime] | None:
    """Return the purse that was spent from last, and when, or None if it was not in a day."""
    query = (
        select(Booking.thing, Booking.purse, Booking.minute)
        .where(Booking.thing.in_({purse.thing for purse in purses}))
        .where(Booking.purse.in_({purse.payer for purse in purses}))
        .where(Booking.minute > now - DAY, Booking.amount > 0)
        .order_by(Booking.minute.desc(), Booking.thing)
    )
    found = session.execute(query.limit(1)).one_or_none()
    return None if found is None else (Purse(found[0], found[1]), found[2])


def take_back(session: Session, purse: Purse, minute: datetime) -> bool:
    """Take back one of what was spent from the purse in that minute; return whether it could be."""
    row = update(Booking).where(Booking.minute == minute, Booking.amount > 0)
    row = row.where(Booking.thing == purse.thing, Booking.purse == purse.payer)
    less = row.values(amount=Booking.amount - 1).returning(Booking.purse)
    return bool(session.scalars(less).all())


@cache
def _spent() -> Select[str, str, int, int]:
    """Build the query for what all purses spent; each answer needs it."""
    row = table(Booking).c
    hour = func.coalesce(func.sum(row.amount).filter(row.minute > bindparam("hour")), 0)
    day = func.sum(row.amount)
    return (
        select(row.thing, row.purse, cast(hour, BigInteger), cast(day, BigInteger))
        .where(row.minute > bindparam("day"))
        .group_by(row.thing, row.purse)
    )


@cache
def _spent_from() -> Select[str, str, int, int]:
    """Build the same query for some purses."""
    row = table(Booking).c
    return _spent().where(
        row.thing.in_(bindparam("things", expanding=True)),
        row.purse.in_(bindparam("payers", expanding=True)),
    )
