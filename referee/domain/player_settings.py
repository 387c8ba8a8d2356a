"""A player's settings for email: what reports show, and when email can come."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import Enum
from typing import Final
from zoneinfo import ZoneInfo

from referee.domain.days import local_moment

DAILY_LETTER: Final = time(18)
"""The player's local time of the daily digest: early enough to play on the same evening."""
LEAST_LEFT: Final = timedelta(hours=6)
"""The least time that a delayed letter leaves before the deadline of its game."""


class ReportFormat(Enum):
    """How much of a report a player wants to read."""

    FULL = "full"
    """The whole report, with the order sheet to fill in and every explanation."""
    CHANGES = "changes"
    """Only the differences from the report of the turn before."""
    COMPACT = "compact"
    """The whole report, without the order sheet to fill in and without explanations."""
    NEWS = "news"
    """Only the first screen: the deadline, the news, failed orders and messages."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """A local period, on one day or over midnight, in which letters that can wait do so."""

    begin: time
    end: time

    def __str__(self) -> str:
        """Return the hours as a player writes them: ``22:00-07:00``."""
        return f"{self.begin:%H:%M}-{self.end:%H:%M}"


@dataclass(frozen=True, slots=True)
class Clock:
    """A person's time zone and quiet hours."""

    zone: str
    quiet: QuietHours | None = None

    def after_quiet(self, moment: datetime) -> datetime:
        """Return *moment*, or the end of the quiet hours that include it."""
        around = self._quiet_around(moment)
        return around.end if around is not None else moment

    def daily_letter(self, now: datetime) -> datetime:
        """Return the time of the next daily digest, later than *now* and outside quiet hours."""
        day = now.astimezone(ZoneInfo(self.zone)).date()
        coming = (
            local_moment(day + timedelta(days=ahead), DAILY_LETTER, self.zone)
            for ahead in range(-1, 3)
        )
        return next(due for due in map(self.after_quiet, coming) if due > now)

    def reminder(self, deadline: datetime, step: timedelta) -> datetime:
        """Return when to send the reminder that is due *step* before *deadline*.

        In quiet hours a reminder waits until they end if half of its time is left then. Otherwise
        it comes before they begin.
        """
        moment = deadline - step
        around = self._quiet_around(moment)
        if around is None:
            return moment
        return around.end if around.end <= deadline - step / 2 else around.begin

    def _quiet_around(self, moment: datetime) -> "_Period | None":
        if self.quiet is None:
            return None
        day = moment.astimezone(ZoneInfo(self.zone)).date()
        # The quiet hours of the evening before can still last.
        for begun in (day - timedelta(days=1), day):
            over = begun + timedelta(days=self.quiet.end <= self.quiet.begin)
            period = _Period(
                local_moment(begun, self.quiet.begin, self.zone),
                local_moment(over, self.quiet.end, self.zone),
            )
            if period.begin <= moment < period.end:
                return period
        return None


@dataclass(frozen=True, slots=True)
class _Period:
    """A period from one moment to another, with the end excluded."""

    begin: datetime
    end: datetime


def reminder_due(
    deadline: datetime, steps: Sequence[timedelta], clock: Clock, now: datetime
) -> timedelta | None:
    """Return the shortest span before *deadline* whose reminder is due, or None.

    Longer spans that were missed are not made up for: one reminder is enough.
    """
    begun = [step for step in steps if clock.reminder(deadline, step) <= now < deadline]
    return min(begun, default=None)
