"""Intake leases: who receives letters outside of mailboxes, and how far each has stored them."""

from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from sqlalchemy import Select, bindparam, delete, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base, insert_those_missing, table
from referee.store.database.claims import lease_clock


class IntakeLease(Base):
    """A daemon with a receiver or a Maildir, or the pipe of a mail server."""

    __tablename__ = "intake_leases"

    owner: Mapped[str] = mapped_column(primary_key=True)
    watermark: Mapped[datetime]
    """The intake watermark: every letter that reached the owner up to then is stored."""
    lease_until: Mapped[datetime]
    """Turns wait for the owner until then."""


def tell(
    session: Session, owner: str, watermark: datetime, now: datetime, lease: timedelta
) -> bool:
    """Renew the intake lease of *owner* up to *watermark*. Return whether the lease is new."""
    values = {"watermark": watermark, "lease_until": lease_clock(session, now) + lease}
    renewal = (
        update(IntakeLease)
        .where(IntakeLease.owner == owner)
        .values(values)
        .returning(IntakeLease.owner)
    )
    if session.scalar(renewal) is not None:
        return False
    insert_those_missing(session, IntakeLease, [{"owner": owner, **values}])
    return True


def leave(session: Session, owner: str) -> None:
    """Delete the intake lease of *owner*, who has no letters in progress."""
    session.execute(delete(IntakeLease).where(IntakeLease.owner == owner))


def is_awaited(session: Session, owner: str) -> bool:
    """Return whether *owner* holds a lease. Locks it, so that it cannot expire in this transaction.

    The owner can still renew it.
    """
    query = select(IntakeLease.owner).where(IntakeLease.owner == owner)
    return session.scalar(query.with_for_update(read=True, key_share=True)) is not None


class OtherLeases(NamedTuple):
    """The lowest watermark of the other owners, or None without any; and an expired lease."""

    watermark: datetime | None
    is_overdue: bool
    """Whether a lease of anybody has expired."""


def give_up(session: Session, now: datetime) -> None:
    """Delete expired leases, after waiting for transactions that are storing letters."""
    session.execute(delete(IntakeLease).where(IntakeLease.lease_until <= lease_clock(session, now)))


def others(session: Session, besides: str, now: datetime) -> OtherLeases:
    """Return the leases of all owners except *besides*; expired ones count until deleted."""
    watermark, until = session.execute(_others(), {"besides": besides}).one()
    return OtherLeases(watermark, until is not None and until <= lease_clock(session, now))


def owners(session: Session) -> frozenset[str]:
    """Return all owners, including expired ones."""
    return frozenset(session.scalars(select(IntakeLease.owner)))


@cache
def _others() -> Select[datetime | None, datetime | None]:
    row = table(IntakeLease).c
    lowest = func.min(row.watermark).filter(row.owner != bindparam("besides"))
    return select(lowest, func.min(row.lease_until))
