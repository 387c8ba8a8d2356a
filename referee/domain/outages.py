"""The arithmetic of outages: how long the referee was down, and where a deadline moves."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class OutageLimits:
    """The longest silence that is not an outage, and the most time that an outage gives back."""

    gap: timedelta = timedelta(minutes=10)
    longest: timedelta = timedelta(hours=72)


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """The status of a mail source, ``imap:NAME``, with the time up to which its mail is here.

    That time is None while the source has a failure. A healthy source is polled *every* so often.
    """

    source: str
    watermark: datetime | None
    every: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class Outage:
    """A period in which no letter could be received: from one heartbeat to the next."""

    since: datetime
    until: datetime

    @property
    def gap(self) -> timedelta:
        """The length of the outage."""
        return self.until - self.since


def moved(due: datetime, grace: timedelta, away: Outage, longest: timedelta) -> datetime | None:
    """Return the deadline moved by the outage that it or its grace fell into, or None.

    Players get back the time that was left when the outage began, but at most *longest*.
    """
    if not away.since < due + grace or not due <= away.until:
        return None
    return away.until + min(due - away.since, longest)
