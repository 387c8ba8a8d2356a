"""The arithmetic of outages: how long the referee was down, and where a deadline moves."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

RETRIES: Final = timedelta(hours=6)
"""How long after an outage the mail servers of senders try again, if they send to us directly."""


@dataclass(frozen=True, slots=True)
class OutageLimits:
    """The longest silence that is not an outage, and the most time that an outage gives back.

    For *retries* after an outage, other mail servers can still send us what they kept.
    """

    gap: timedelta = timedelta(minutes=10)
    longest: timedelta = timedelta(hours=72)
    retries: timedelta = timedelta(0)


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


def moved(
    due: datetime,
    closes: datetime,
    away: Outage,
    longest: timedelta,
    least: timedelta = timedelta(0),
) -> datetime | None:
    """Return the deadline moved by an outage before which it did not close, or None.

    Players get back the time that was left when the outage began, but at most *longest*. After the
    outage there is the *least* time in any case, because letters can still be on their way.
    """
    if not away.since < closes:
        return None
    new = due if due > away.until else away.until + min(due - away.since, longest)
    new = max(new, away.until + least)
    return new if new != due else None
