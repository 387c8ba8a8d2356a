"""Signs of life: when the daemon and its ways in were last known to work."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base

DAEMON = "daemon"
"""The source whose pulse says that anybody was at work at all."""


class Heartbeat(Base):
    """The last sign of life of the daemon or of a way in, by which outages are known."""

    __tablename__ = "heartbeats"

    source: Mapped[str] = mapped_column(primary_key=True)
    """``daemon``, ``imap:NAME`` or ``maildir:NAME``."""
    beat_at: Mapped[datetime]
    behind_at: Mapped[datetime | None]
    """When a clock was first seen that is behind the last sign of life; None when none is."""


def of(session: Session, source: str) -> Heartbeat | None:
    """Return the pulse of a source, locked, so that one daemon alone finds a gap."""
    query = select(Heartbeat).where(Heartbeat.source == source).with_for_update()
    return session.scalar(query.execution_options(populate_existing=True))


def among(session: Session, sources: Iterable[str]) -> list[Heartbeat]:
    """Return the pulses of those sources that ever had one."""
    return list(session.scalars(select(Heartbeat).where(Heartbeat.source.in_(list(sources)))))


def begin(session: Session, source: str, now: datetime) -> None:
    """Write the first sign of life of a source."""
    session.add(Heartbeat(source=source, beat_at=now))
    session.flush()


def later(session: Session, moment: datetime) -> list[Heartbeat]:
    """Return the pulses that lie after *moment*."""
    return list(session.scalars(select(Heartbeat).where(Heartbeat.beat_at > moment)))


def keep(session: Session, now: datetime) -> None:
    """Say that all who ever gave a sign of life were at work until now."""
    for pulse in session.scalars(select(Heartbeat)):
        pulse.beat_at = max(pulse.beat_at, now)
