"""Schedules as a GM writes them, read into the values that deadlines are reckoned from."""

from collections.abc import Callable
from datetime import time, timedelta
from difflib import get_close_matches
from functools import cache
from typing import Any, Final
from zoneinfo import available_timezones

from referee.domain.deadlines import Calendar, Span
from referee.parsing.items import Misread
from referee.parsing.reader import Reader
from referee.rules.ruleset import Example, Grammar, Mistake, Separator

_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKS: Final = {"other": 2, "second": 2, "third": 3, "fourth": 4}
_LONGEST: Final = timedelta(days=366)


def read_schedule(text: str) -> Calendar | Span:
    """Give the schedule *text* describes. Raises Mistake with the place and the way out."""
    items = _reader().read(" ".join(text.split()))
    if len(items) != 1:
        raise Mistake('when are turns due? Write one like "weekdays 20:00 Europe/Berlin".')
    item = items[0]
    if isinstance(item, Misread):
        raise Mistake(f'"{item.text}" is no schedule: {item.reason} {item.advice}'.rstrip())
    schedule: Calendar | Span = item.order
    return schedule


def zone_named(name: str) -> str:
    """Give the time zone of that name as it is properly written. Raises Mistake for none."""
    known = {zone.lower(): zone for zone in available_timezones()}
    if name.lower() in known:
        return known[name.lower()]
    cities = {zone.rpartition("/")[2].lower(): zone for zone in sorted(known.values())}
    near = get_close_matches(name.lower(), [*cities, *known], n=1, cutoff=0.7)
    meant = f" Did you mean {cities.get(near[0]) or known[near[0]]}?" if near else ""
    raise Mistake(f"there is no time zone {name}; they are like Europe/Berlin.{meant}")


def _calendar(days: tuple[frozenset[int], int], at: time, zone: str) -> Calendar:
    return Calendar(days[0], days[1], at, zone)


def _certain_days(*words: int | frozenset[int]) -> tuple[frozenset[int], int]:
    every, *days = words if isinstance(words[0], int) else (1, *words)
    assert isinstance(every, int)
    return frozenset[int]().union(*(day for day in days if isinstance(day, frozenset))), every


def _span(length: timedelta, not_before: time | None = None, zone: str = "UTC") -> Span:
    return Span(length, not_before, zone)


def _length(count: int, unit: str) -> timedelta:
    unit = unit.lower().rstrip("s") + "s"
    # The bound comes first: a timedelta of a thousand million weeks is an error of its own.
    if count > _LONGEST.total_seconds() or timedelta(**{unit: count}) > _LONGEST:
        raise Mistake(f"a turn lasts at most {_LONGEST.days} days.")
    return timedelta(**{unit: count})


def _time(text: str) -> time:
    hours, _, minutes = text.partition(":")
    return time(int(hours), int(minutes))


_BUILDERS: Final[dict[str, Callable[..., Any]]] = {
    "calendar": _calendar,
    "daily": lambda: (frozenset(range(7)), 1),
    "weekdays": lambda: (frozenset(range(5)), 1),
    "certain_days": _certain_days,
    "span": _span,
    "length": _length,
}

_TERMINALS: Final[dict[str, Callable[[str], Any]]] = {
    "NUMBER": int,
    "UNIT": str,
    "DAY": lambda text: frozenset({_DAYS.index(text[:3].lower())}),
    "WEEKS": lambda text: _WEEKS[text.lower()],
    "TIME": _time,
    "ZONE": zone_named,
}

_EXAMPLES: Final = (
    Example("every Friday 18:00", "in which time zone? every Friday 18:00 Europe/Berlin."),
    Example("daily", "at what time? daily 20:00 UTC."),
    Example("weekdays", "at what time? weekdays 20:00 Europe/Berlin."),
    Example("every Friday", "at what time? every Friday 18:00 Europe/Berlin."),
    Example("every", "every what? every Friday 18:00 Europe/Berlin, or every 72 hours."),
    Example("every x", "every what? every Friday 18:00 Europe/Berlin, or every 72 hours."),
    Example("every second", "which day? every second Friday 18:00 Europe/Berlin."),
    Example("72", "72 of what? 72 hours."),
    Example("72 hours, not before", "not before what time? 72 hours, not before 12:00 UTC."),
    Example("daily 25:00 UTC", "hours go from 0:00 to 23:59. daily 20:00 UTC."),
    Example("Friday 18:00 UTC", "begin with every. every Friday 18:00 UTC."),
    Example(
        "x", "it begins with daily, weekdays, every or a number. daily 20:00 UTC, or 72 hours."
    ),
)


@cache
def _reader() -> Reader:
    grammar = Grammar("schedule.lark", _BUILDERS, _TERMINALS, _EXAMPLES, Separator.LINES)
    return Reader(grammar, start="schedule")
