"""Mailboxes: how far each was read, and who reads it now."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base, Claimed, insert_those_missing
from referee.store.database.claims import lease_clock, locked, locking, take, unclaimed
from referee.store.database.claims import release as leave


class MailboxCursor(Base):
    """How far a mailbox was read."""

    __tablename__ = "mailbox_cursors"

    source: Mapped[str] = mapped_column(primary_key=True)
    uidvalidity: Mapped[int] = mapped_column(BigInteger)
    last_uid: Mapped[int] = mapped_column(BigInteger)
    """Both values go up to 2**32 - 1, which is too large for a plain integer."""
    withheld: Mapped[list[Any]]
    """The UIDs of the letters that the server does not give, ascending."""


class MailboxLease(Claimed, Base):
    """The lease on a mailbox: who reads it, and up to when its mail is stored."""

    __tablename__ = "mailbox_leases"

    source: Mapped[str] = mapped_column(primary_key=True)
    watermark: Mapped[datetime | None]
    """None until the owner has checked the mailbox, and during a failure."""


def hold(
    session: Session,
    source: str,
    owner: str,
    now: datetime,
    lease: timedelta,
    watermark: datetime | None,
) -> bool:
    """Acquire or renew the mailbox lease, and return whether *owner* has it."""
    if session.get(MailboxLease, source) is None:
        insert_those_missing(session, MailboxLease, [{"source": source, "fence": 0}])
    clock = lease_clock(session, now)
    available = or_(MailboxLease.owner == owner, unclaimed(MailboxLease, clock))
    held = session.scalar(
        locking(select(MailboxLease).where(MailboxLease.source == source, available))
    )
    if held is None:
        return False
    if held.owner != owner:
        take(held, owner, clock + lease)
    held.lease_until, held.watermark = clock + lease, watermark
    session.flush()
    return True


def release(session: Session, source: str, owner: str) -> None:
    """Release the mailbox lease if *owner* has it."""
    query = select(MailboxLease).where(MailboxLease.source == source, MailboxLease.owner == owner)
    held = session.scalar(locked(query))
    if held is not None:
        leave(held)
        held.watermark = None
        session.flush()


def read_elsewhere(session: Session, source: str, now: datetime) -> datetime | None:
    """Return up to when its owner has read the mailbox, or None if it has no owner."""
    held = session.get(MailboxLease, source)
    if held is None or held.lease_until is None or held.lease_until <= lease_clock(session, now):
        return None
    return held.watermark


def cursor(session: Session, source: str) -> MailboxCursor | None:
    """Return how far the mailbox was read, or None before the first time."""
    return session.get(MailboxCursor, source)


def cursors(session: Session) -> list[MailboxCursor]:
    """Return how far each mailbox was read, sorted by source."""
    return list(session.scalars(select(MailboxCursor).order_by(MailboxCursor.source)))


def advance(
    session: Session, source: str, uidvalidity: int, last_uid: int, withheld: Sequence[int] = ()
) -> MailboxCursor:
    """Record that the mailbox was read up to *last_uid*, which never decreases.

    A different UIDVALIDITY means a different mailbox, which starts from its own beginning.
    """
    known = session.get(MailboxCursor, source, with_for_update=True)
    if known is None:
        known = MailboxCursor(source=source, uidvalidity=uidvalidity, last_uid=last_uid)
        session.add(known)
    elif known.uidvalidity != uidvalidity:
        known.uidvalidity, known.last_uid = uidvalidity, last_uid
    else:
        known.last_uid = max(known.last_uid, last_uid)
    known.withheld = list(withheld)
    session.flush()
    return known
