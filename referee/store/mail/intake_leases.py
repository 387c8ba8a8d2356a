"""Intake leases: who receives letters outside of mailboxes, and how far each has stored them."""

from datetime import datetime, timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base
from referee.store.database.claims import lease_clock
from referee.store.database.dialect import insert_those_missing


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


def is_overdue(session: Session, now: datetime) -> bool:
    """Return whether a lease has expired."""
    query = (
        select(IntakeLease.owner)
        .where(IntakeLease.lease_until <= lease_clock(session, now))
        .limit(1)
    )
    return session.scalar(query) is not None


def give_up(session: Session, now: datetime) -> None:
    """Delete expired leases, after waiting for transactions that are storing letters."""
    session.execute(delete(IntakeLease).where(IntakeLease.lease_until <= lease_clock(session, now)))


def watermark(session: Session, besides: str) -> datetime | None:
    """Return the lowest intake watermark of all owners except *besides*, or None.

    Expired leases count until they are deleted.
    """
    query = select(func.min(IntakeLease.watermark)).where(IntakeLease.owner != besides)
    return session.scalar(query)


def owners(session: Session) -> frozenset[str]:
    """Return all owners, including expired ones."""
    return frozenset(session.scalars(select(IntakeLease.owner)))
