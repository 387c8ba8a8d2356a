"""Schedules as values: days, hours, lengths of turns, and exceptions."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, time, timedelta

from referee.domain.days import MONTHS
from referee.rules.wording import counted

_DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ORDINALS = {1: "", 2: "second ", 3: "third ", 4: "fourth "}
_WEEKDAYS = frozenset(range(5))
_WEEK = frozenset(range(7))
_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
_YEARS = 28
"""After this many years, every day of the year has fallen on every weekday."""
_SAMPLE = tuple(date(2001, 1, 1) + timedelta(days=n) for n in range(_YEARS * 1461 // 4))
"""The days of those years, starting with a Monday."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """Certain days of every n-th week at a local time; Monday is 0."""

    days: frozenset[int]
    every: int
    at: time
    zone: str


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time after the last deadline, or until *not_before* if that is later."""

    length: timedelta
    not_before: time | None = None
    zone: str = "UTC"


@dataclass(frozen=True, slots=True, order=True)
class YearDay:
    """A day of every year."""

    month: int
    day: int


@dataclass(frozen=True, slots=True)
class Recess:
    """Days on which no turn is due, with the last one included: of every year, or of one."""

    first: date | YearDay
    last: date | YearDay

    def begins(self, year: int) -> tuple[date, ...]:
        """Return the first days of the recess in *year* and the next one, or of the only one."""
        first = self.first
        if isinstance(first, date):
            return (first,)
        # The 29 February of other years is 1 March.
        start = timedelta(days=first.day - 1)
        return tuple(date(each, first.month, 1) + start for each in (year, year + 1))

    def covers(self, day: date) -> bool:
        """Return whether *day* is one of these days."""
        first, last = self.first, self.last
        if isinstance(first, date) and isinstance(last, date):
            return first <= day <= last
        assert isinstance(first, YearDay)
        assert isinstance(last, YearDay)
        here = YearDay(day.month, day.day)
        if first <= last:
            return first <= here <= last
        # The recess goes from one year into the next.
        return here >= first or here <= last


@dataclass(frozen=True, slots=True)
class PhaseSpan:
    """The length of one phase of the ruleset, which is named by its key."""

    phase: str
    length: timedelta


@dataclass(frozen=True, slots=True)
class Schedule:
    """When turns are due: the rule, and its exceptions.

    No turn is due on *closed* weekdays or in a *recess*. A calendar skips such a day; a span is put
    off to the next day of the schedule. *apart* is the shortest time between two deadlines.
    """

    rule: Calendar | Span
    closed: frozenset[int] = frozenset()
    recesses: tuple[Recess, ...] = ()
    apart: timedelta = timedelta(0)
    phases: tuple[PhaseSpan, ...] = ()

    @property
    def zone(self) -> str:
        """The time zone of the schedule's clock and days."""
        return self.rule.zone

    def span_of(self, phase: str) -> timedelta | None:
        """Return the length of a phase that has one of its own, or None."""
        return next((span.length for span in self.phases if span.phase == phase), None)

    @property
    def calendar(self) -> Calendar | None:
        """The calendar that decides about every turn; None if spans decide about some."""
        return self.rule if isinstance(self.rule, Calendar) and not self.phases else None

    @property
    def weekdays(self) -> frozenset[int]:
        """The days of the week on which a turn can be due, in any week."""
        return (self.calendar.days if self.calendar else _WEEK) - self.closed

    @property
    def hour(self) -> time | None:
        """The hour at which a turn is due that was put off to another day; None keeps its own."""
        if isinstance(self.rule, Span):
            return self.rule.not_before
        return self.calendar.at if self.calendar else None

    def is_open(self, day: date) -> bool:
        """Return whether a turn can be due on *day*."""
        return day.weekday() in self.weekdays and not any(r.covers(day) for r in self.recesses)

    def is_possible(self) -> bool:
        """Return whether a turn can be due at least once a year, in every rhythm of weeks."""
        if not self.closed and not self.recesses:
            return True
        opened = [n for n, day in enumerate(_SAMPLE) if self.is_open(day)]
        if isinstance(self.rule, Span):
            return len(opened) >= _YEARS
        hits = Counter(n // 7 % self.rule.every for n in opened if n % 7 in self.rule.days)
        return all(hits[week] >= _YEARS for week in range(self.rule.every))


def describe(schedule: Schedule) -> str:
    """Return the schedule as a GM writes it; the parser reads it back as the same schedule."""
    clauses = [_rule(schedule.rule)]
    if schedule.closed:
        clauses.append(f"not on {_days(schedule.closed)}")
    if schedule.recesses:
        clauses.append("except " + " and ".join(map(_recess, schedule.recesses)))
    if schedule.apart:
        clauses.append(f"at least {in_words(schedule.apart)} apart")
    clauses += [f"in {span.phase} {in_words(span.length)}" for span in schedule.phases]
    return ", ".join(clauses)


def every_turn(schedule: Schedule) -> str:
    """Return when turns are due, as it follows "Turns are due": ``every 5 days``."""
    words = describe(schedule)
    if isinstance(schedule.rule, Span):
        return f"every {words.removeprefix('1 ') if words.startswith('1 ') else words}"
    return f"on {words}" if words.startswith("weekdays") else words


def of_turns(schedule: Schedule) -> str:
    """Return how often there are turns, as it follows "Schedule:": ``a turn every 5 days``."""
    if isinstance(schedule.rule, Span):
        return f"a turn {every_turn(schedule)}"
    return describe(schedule)


def in_words(length: timedelta) -> str:
    """Return a length as a GM writes it, in the largest unit without a remainder: ``36 hours``."""
    seconds = int(length.total_seconds())
    for size, unit in _UNITS:
        if seconds % size == 0 and seconds >= size:
            return counted(seconds // size, unit)
    return "0 seconds"


def roughly(length: timedelta) -> str:
    """Return a length as people say it: ``5 hours`` for a little more or less than that."""
    seconds = int(length.total_seconds())
    for size, unit in _UNITS[:-1]:
        # Two of a smaller unit are more precise than one of a larger.
        if seconds >= 2 * size or (seconds >= size and unit == "minute"):
            return in_words(timedelta(seconds=round(seconds / size) * size))
    return "less than a minute"


def spelled(length: timedelta) -> str:
    """Return a length in its two largest units, rounded down: ``3 days 20 hours``."""
    minutes = int(length.total_seconds()) // 60
    counts = ((minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute"))
    first = next((n for n, (count, _) in enumerate(counts) if count), 2)
    parts = (counted(count, unit) for count, unit in counts[first:][:2] if count)
    return " ".join(parts) or "less than a minute"


def _rule(rule: Calendar | Span) -> str:
    if isinstance(rule, Calendar):
        return f"{_calendar_days(rule)} {rule.at:%H:%M} {rule.zone}"
    late = f", not before {rule.not_before:%H:%M} {rule.zone}" if rule.not_before else ""
    return in_words(rule.length) + late


def _calendar_days(calendar: Calendar) -> str:
    if calendar.every == 1 and calendar.days == _WEEK:
        return "daily"
    if calendar.every == 1 and calendar.days == _WEEKDAYS:
        return "weekdays"
    return f"every {_ORDINALS[calendar.every]}{_days(calendar.days)}"


def _days(days: Iterable[int]) -> str:
    return " and ".join(_DAY_NAMES[day] for day in sorted(days))


def _recess(recess: Recess) -> str:
    first, last = _day(recess.first), _day(recess.last)
    return first if first == last else f"{first} to {last}"


def _day(day: date | YearDay) -> str:
    return day.isoformat() if isinstance(day, date) else f"{day.day} {MONTHS[day.month - 1]}"
