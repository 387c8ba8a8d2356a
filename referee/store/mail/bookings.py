"""Bookings: what was spent of each thing from each purse, by the minute."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import BigInteger, String, cast, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base, insert_or_add

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
    hour = func.coalesce(func.sum(Booking.amount).filter(Booking.minute > now - HOUR), 0)
    query = (
        select(
            Booking.thing,
            Booking.purse,
            cast(hour, BigInteger),
            cast(func.sum(Booking.amount), BigInteger),
        )
        .where(Booking.minute > now - DAY)
        .group_by(Booking.thing, Booking.purse)
    )
    if purses is not None:
        query = query.where(
            Booking.thing.in_({purse.thing for purse in purses}),
            Booking.purse.in_({purse.payer for purse in purses}),
        )
    found = session.execute(query)
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
