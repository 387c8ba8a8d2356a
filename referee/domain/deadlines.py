"""Deadlines as arithmetic: schedules, the next deadline, reminders due; no clock inside."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

FIRST_NOTICE = timedelta(hours=24)
"""The least time between the start of a game and a first deadline on a calendar."""

_DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAYS = frozenset(range(5))
_WEEK = frozenset(range(7))
_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


@dataclass(frozen=True, slots=True)
class Calendar:
    """Certain days of every n-th week at a local time; Monday is 0."""

    days: frozenset[int]
    every: int
    at: time
    zone: str


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time after the last deadline, put off to *not_before* when that is later."""

    length: timedelta
    not_before: time | None = None
    zone: str = "UTC"


Schedule = Calendar | Span


def first_deadline(schedule: Schedule, start: datetime) -> datetime:
    """Give the deadline of the first turn of a game that starts at *start*, in UTC.

    On a calendar it is the first day that leaves everybody a day's notice.
    """
    if isinstance(schedule, Span):
        return _after(schedule, start)
    return next(day for day in _days(schedule, start) if day >= start + FIRST_NOTICE)


def next_deadline(schedule: Schedule, scheduled: datetime, now: datetime) -> datetime:
    """Give the deadline after the one *scheduled*, in UTC: later than it and later than *now*.

    It is computed from the scheduled one, so a late adjudication moves nothing, unless the next
    deadline has passed by as well.
    """
    if isinstance(schedule, Span):
        regular = _after(schedule, scheduled)
        return regular if regular > now else _after(schedule, now)
    return next(day for day in _days(schedule, scheduled) if day > max(scheduled, now))


def reminder_due(deadline: datetime, steps: Sequence[timedelta], now: datetime) -> timedelta | None:
    """Give the shortest span before *deadline* that has begun, or None when none has.

    Longer spans that were slept through are not made up for: one reminder says all.
    """
    begun = [step for step in steps if deadline - step <= now < deadline]
    return min(begun, default=None)


def describe(schedule: Schedule) -> str:
    """Give the schedule as a GM writes it; reading that gives the schedule back."""
    if isinstance(schedule, Span):
        late = schedule.not_before
        return _length(schedule.length) + (
            f", not before {late:%H:%M} {schedule.zone}" if late is not None else ""
        )
    return f"{_days_in_words(schedule)} {schedule.at:%H:%M} {schedule.zone}"


def _after(span: Span, moment: datetime) -> datetime:
    deadline = (moment + span.length).astimezone(UTC)
    if span.not_before is None:
        return deadline
    local = deadline.astimezone(ZoneInfo(span.zone))
    earliest = _at(local.date(), span.not_before, span.zone)
    return max(deadline, earliest)


def _days(calendar: Calendar, anchor: datetime) -> Iterator[datetime]:
    """Give the calendar's moments in ascending order, from the anchor's week on, in UTC.

    Every n-th week is counted from the week of the anchor, the last deadline.
    """
    local = anchor.astimezone(ZoneInfo(calendar.zone)).date()
    monday = local - timedelta(days=local.weekday())
    while True:
        for day in sorted(calendar.days):
            yield _at(monday + timedelta(days=day), calendar.at, calendar.zone)
        monday += timedelta(weeks=calendar.every)


def _at(day: date, at: time, zone: str) -> datetime:
    """Give a local time in UTC; one that summer time skips comes an hour later by the clock."""
    return datetime.combine(day, at, ZoneInfo(zone)).astimezone(UTC)


def _length(length: timedelta) -> str:
    seconds = int(length.total_seconds())
    for size, unit in _UNITS:
        if seconds % size == 0 and seconds >= size:
            count = seconds // size
            return f"{count} {unit}" + ("s" if count != 1 else "")
    return "0 seconds"


def _days_in_words(calendar: Calendar) -> str:
    if calendar.every == 1 and calendar.days == _WEEK:
        return "daily"
    if calendar.every == 1 and calendar.days == _WEEKDAYS:
        return "weekdays"
    names = " and ".join(_DAY_NAMES[day] for day in sorted(calendar.days))
    ordinals = {1: "", 2: "second ", 3: "third ", 4: "fourth "}
    return f"every {ordinals[calendar.every]}{names}"
