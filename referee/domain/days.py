"""Days as people name them, and periods of whole days in a time zone."""

from calendar import isleap
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from referee.rules.ruleset import UserError

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_FAR = timedelta(days=366)
"""How far ahead a day without a year can be."""
_HALF_A_YEAR = timedelta(days=183)
_FARTHEST = timedelta(days=2 * 366)


@dataclass(frozen=True, slots=True)
class NamedDay:
    """A day of a month; without a year it means the next such day."""

    month: int
    day: int
    year: int | None = None


@dataclass(frozen=True, slots=True)
class NearDay:
    """Today (0) or tomorrow (1), in the time zone of the writer."""

    ahead: int


Day = NamedDay | NearDay


@dataclass(frozen=True, slots=True)
class NamedMoment:
    """A time of a named day, by the clock of a *zone*."""

    day: NamedDay
    at: time
    zone: str

    def after(self, now: datetime) -> datetime:
        """Return the moment, in UTC; without a year, the next one after *now*.

        Raises UserError as ``next_moment`` does.
        """
        return next_moment(self.day, self.at, self.zone, now)


@dataclass(frozen=True, slots=True)
class Weekday:
    """A day of the week, counted from Monday (0)."""

    number: int


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of a day, or the next such time, by the clock of *zone*, else of the writer's zone."""

    at: time
    day: Day | Weekday | None = None
    zone: str = ""

    def after(self, now: datetime, zone: str) -> datetime:
        """Return the moment, in UTC, as written at *now* by someone in *zone*.

        It is the next one unless the day says otherwise. Raises UserError as ``next_moment`` does.
        """
        zone = self.zone or zone
        if isinstance(self.day, NamedDay):
            return next_moment(self.day, self.at, zone, now)
        today = now.astimezone(ZoneInfo(zone)).date()
        if isinstance(self.day, NearDay):
            return local_moment(_found(self.day, today), self.at, zone)
        coming = (today + timedelta(days=ahead) for ahead in range(9))
        return next(
            moment
            for each in coming
            if self.day is None or each.weekday() == self.day.number
            if (moment := local_moment(each, self.at, zone)) > now
        )


@dataclass(frozen=True, slots=True)
class Days:
    """A period of whole days in *zone*, with the first and last day included."""

    first: date
    last: date
    zone: str

    @property
    def count(self) -> int:
        """The number of days."""
        return (self.last - self.first).days + 1

    @property
    def begins(self) -> datetime:
        """The first moment of the period, in UTC."""
        return _midnight(self.first, self.zone)

    @property
    def ends(self) -> datetime:
        """The first moment after the period, in UTC."""
        return _midnight(self.last + timedelta(days=1), self.zone)

    def __contains__(self, other: "Days") -> bool:
        """Return whether all days of the *other* period are days of this one."""
        return self.first <= other.first and other.last <= self.last

    def __str__(self) -> str:
        """Return ``from Fri 18 Sep 2026 to Fri 2 Oct 2026``."""
        if self.first == self.last:
            return f"on {in_words(self.first)}"
        return f"from {in_words(self.first)} to {in_words(self.last)}"


def spell(first: Day | None, last: Day, now: datetime, zone: str) -> Days:
    """Return the days from *first* (None: today) to *last*, as named at *now* by someone in *zone*.

    Raises UserError if a day does not exist or is over, or if the last day is before the first.
    """
    today = now.astimezone(ZoneInfo(zone)).date()
    begin = _found(first, today) if first is not None else today
    if begin < today:
        raise UserError(f"{in_words(begin)} is over; today is {in_words(today)}.")
    end = _found(last, begin if isinstance(last, NamedDay) else today)
    if isinstance(last, NamedDay) and last.year is None and end - begin > _HALF_A_YEAR:
        # The day of the same year is meant, and it comes too early.
        end = _dated(last, begin.year)
    if end < begin:
        raise UserError(f"{in_words(end)}, the last day, is before {in_words(begin)}, the first.")
    if end - today > _FARTHEST:
        raise UserError(f"{in_words(end)} is too far away.")
    return Days(begin, end, zone)


def next_moment(day: NamedDay, at: time, zone: str, now: datetime) -> datetime:
    """Return a time of a named day, in UTC; without a year, the next one after *now*.

    Raises UserError if there is no such day, or none within a year. One that passed not long ago is
    hardly meant for next year, so that needs the year.
    """
    today = now.astimezone(ZoneInfo(zone)).date()
    found = local_moment(_found(day, today), at, zone)
    if day.year is None and found <= now:
        found = local_moment(_found(day, today + timedelta(days=1)), at, zone)
    if day.year is None and found - now > _HALF_A_YEAR:
        year = found.astimezone(ZoneInfo(zone)).year
        passed = in_words(_dated(day, year - 1))
        raise UserError(f"{passed}, {at:%H:%M} has passed. Write the year if you mean {year}.")
    return found


def days_between(begins: datetime, ends: datetime, zone: str) -> Days:
    """Return the days in *zone* that the period touches, at least one."""
    first = begins.astimezone(ZoneInfo(zone)).date()
    last = (ends - timedelta(seconds=1)).astimezone(ZoneInfo(zone)).date()
    return Days(first, max(first, last), zone)


def in_words(day: date) -> str:
    """Return ``Fri 18 Sep 2026``."""
    return f"{day:%a} {day.day} {day:%b %Y}"


def _found(day: Day, earliest: date) -> date:
    """Return the named day, on or after *earliest* if it has no year. Raises UserError if none."""
    if isinstance(day, NearDay):
        return earliest + timedelta(days=day.ahead)
    if day.year is not None:
        return _dated(day, day.year)
    # The next 29 February can be years away, and nobody means that.
    for year in (earliest.year, earliest.year + 1):
        if day != NamedDay(2, 29) or isleap(year):
            found = _dated(day, year)
            if earliest <= found <= earliest + _FAR:
                return found
    raise UserError(f"there is no {day.day} {MONTHS[day.month - 1]} within a year; add the year.")


def _dated(day: NamedDay, year: int) -> date:
    if not 1 <= day.month <= len(MONTHS):
        raise UserError(f"there is no month {day.month}.")
    try:
        return date(year, day.month, day.day)
    except ValueError:
        raise UserError(f"there is no {day.day} {MONTHS[day.month - 1]} {year}.") from None


def local_moment(day: date, at: time, zone: str) -> datetime:
    """Return a local time in UTC; a time skipped by summer time becomes one hour later."""
    return datetime.combine(day, at, ZoneInfo(zone)).astimezone(UTC)


def _midnight(day: date, zone: str) -> datetime:
    return local_moment(day, time(), zone)
