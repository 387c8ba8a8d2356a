"""Heartbeats: when the daemon and its mail sources were last known to work."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base

DAEMON = "daemon"
"""The source whose heartbeat shows that any daemon is running."""


class Heartbeat(Base):
    """The last heartbeat of the daemon or of a mail source, used to detect outages."""

    __tablename__ = "heartbeats"

    source: Mapped[str] = mapped_column(primary_key=True)
    """``daemon``, ``imap:NAME`` or ``maildir:NAME``."""
    beat_at: Mapped[datetime]
    behind_at: Mapped[datetime | None]
    """When a clock was first found to be behind the heartbeat, or None."""
    settled_at: Mapped[datetime | None]
    """The last moment before a gap, up to which the time is trusted; None while all of it is."""
    doubted_at: Mapped[datetime | None]
    """Since when the clock has run without another gap; None while the time is trusted."""


def of(session: Session, source: str) -> Heartbeat | None:
    """Return the heartbeat of a source, locked, so that only one daemon finds a gap."""
    query = select(Heartbeat).where(Heartbeat.source == source).with_for_update()
    return session.scalar(query.execution_options(populate_existing=True))


def among(session: Session, sources: Iterable[str]) -> list[Heartbeat]:
    """Return the heartbeats of those of the sources that have one."""
    return list(session.scalars(select(Heartbeat).where(Heartbeat.source.in_(list(sources)))))


def begin(session: Session, source: str, now: datetime) -> None:
    """Record the first heartbeat of a source."""
    session.add(Heartbeat(source=source, beat_at=now))
    session.flush()


def later(session: Session, moment: datetime) -> list[Heartbeat]:
    """Return the heartbeats later than *moment*."""
    return list(session.scalars(select(Heartbeat).where(Heartbeat.beat_at > moment)))


def keep(session: Session, now: datetime) -> None:
    """Advance all heartbeats to *now*."""
    for pulse in session.scalars(select(Heartbeat)):
        pulse.beat_at = max(pulse.beat_at, now)
