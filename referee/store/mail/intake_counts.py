"""Counts of how much was stored for each sender in a day, for the quotas."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import BigInteger, delete, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base, insert_or_add

_LONGEST: Final = 300
"""The most characters of an address in a purse."""


class IntakeCount(Base):
    """The bytes of the letters that were charged to one purse in a day (UTC)."""

    __tablename__ = "intake_counts"

    day: Mapped[datetime] = mapped_column(primary_key=True)
    purse: Mapped[str] = mapped_column(primary_key=True)
    octets: Mapped[int] = mapped_column(BigInteger)
    warned: Mapped[bool] = mapped_column(default=False)
    """Whether the operator knows that the quota is used up."""


def of_sender(address: str) -> str:
    """Return the purse of the letters with this address in From."""
    return f"from {address.lower()[:_LONGEST]}"


def of_owner(address: str) -> str:
    """Return the purse of the letters that are proven to come from this address."""
    return f"proven {address.lower()[:_LONGEST]}"


def purses(addresses: Iterable[str]) -> list[str]:
    """Return the purses of a person with these addresses."""
    return [purse(address) for address in addresses for purse in (of_sender, of_owner)]


def add(session: Session, octets: Mapping[str, int], now: datetime) -> dict[str, int]:
    """Charge bytes to purses, and return how many each of them has today."""
    day = _day(now)
    # In one order, so that two transactions cannot wait for each other.
    rows = [
        {"day": day, "purse": purse, "octets": octets[purse], "warned": False}
        for purse in sorted(octets)
    ]
    return insert_or_add(session, IntakeCount, "purse", "octets", rows) if rows else {}


def mark_warned(session: Session, purse: str, now: datetime) -> bool:
    """Record that the operator is warned about the purse today; return whether that is new."""
    add(session, {purse: 0}, now)
    today = IntakeCount.day == _day(now), IntakeCount.purse == purse
    fresh = update(IntakeCount).where(*today, IntakeCount.warned.is_(False))
    found = session.scalars(fresh.values(warned=True).returning(IntakeCount.purse)).all()
    return bool(found)


def forget(session: Session, before: datetime) -> int:
    """Delete the counts of the days before, and return their number."""
    old = delete(IntakeCount).where(IntakeCount.day < _day(before))
    return len(session.scalars(old.returning(IntakeCount.purse)).all())


def _day(now: datetime) -> datetime:
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
