"""Outages as arithmetic: how long the referee was away, and where that moves a deadline."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class OutageLimits:
    """How long a silence is no outage yet, and how much time an outage gives back at most."""

    gap: timedelta = timedelta(minutes=10)
    longest: timedelta = timedelta(hours=72)


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A way in, ``imap:NAME``, and until when all that reached us by it is here.

    That is None while it is in trouble. It is looked at *every* so often though all is well.
    """

    source: str
    read_until: datetime | None
    every: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which no letter could be taken: from the last sign of life to the next one."""

    since: datetime
    until: datetime

    @property
    def gap(self) -> timedelta:
        """How long that was."""
        return self.until - self.since


def moved(due: datetime, grace: timedelta, away: Outage, longest: timedelta) -> datetime | None:
    """Return the deadline moved by the gap that it or its grace fell into; None when it did not.

    So the players have the time again that was left when the silence began, but no more than
    *longest*.
    """
    if not away.since < due + grace or not due <= away.until:
        return None
    return away.until + min(due - away.since, longest)
