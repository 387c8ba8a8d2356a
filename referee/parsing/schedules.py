"""A reader of schedules as GMs write them."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, time, timedelta
from difflib import get_close_matches
from functools import cache, lru_cache, partial
from typing import Any, Final
from zoneinfo import available_timezones

from referee.domain.schedules import Calendar, PhaseSpan, Recess, Schedule, Span, YearDay
from referee.parsing.command_parts import (
    MONTHS,
    WEEKDAYS,
    CommandPart,
    clock_time,
    length_of,
    read_date,
)
from referee.parsing.items import Unparsed
from referee.parsing.reader import Reader
from referee.rules.ruleset import Example, Grammar, Separator, UserError

_WEEKS: Final = {"other": 2, "second": 2, "third": 3, "fourth": 4}
_LONGEST: Final = timedelta(days=366)
_TOO_LONG: Final = f"A turn lasts at most {_LONGEST.days} days."
_MOST_RECESSES: Final = 20
_LEAP_YEAR: Final = 2024
_HOUR: Final = re.compile(
    r"\b(?P<hours>1[0-2]|0?[1-9])(?:[:.](?P<minutes>[0-5][0-9]))? ?(?P<half>[ap])\.?m\b\.?",
    re.IGNORECASE,
)
"""An hour of the 12-hour clock."""


@lru_cache(maxsize=1000)
def read_schedule(text: str) -> Schedule:
    """Return the schedule in *text*. Raises UserError with the place and the fix."""
    schedule: Schedule = _read(
        "schedule", text, 'When are turns due? For example, "weekdays 20:00 UTC".'
    )
    if not schedule.is_possible():
        raise UserError("The schedule leaves hardly any day on which a turn could be due.")
    return schedule


def read_length(text: str) -> timedelta:
    """Return the length of time in *text*. Raises UserError with the fix."""
    length: timedelta = _read("duration", text, "How long? For example, 2 days.")
    return length


def read_lengths(text: str) -> tuple[timedelta, ...]:
    """Return the lengths of time in *text*, the longest first. Raises UserError."""
    lengths: tuple[timedelta, ...] = _read(
        "durations", text, "How long? For example, 3 days, 1 day."
    )
    return tuple(sorted(set(lengths), reverse=True))


def zone_named(name: str) -> str:
    """Return the correct spelling of the time zone *name*. Raises UserError if it is unknown."""
    known, cities = _zones()
    if name.lower() in known:
        return known[name.lower()]
    near = get_close_matches(name.lower(), [*cities, *known], n=1, cutoff=0.7)
    meant = f" Did you mean {cities.get(near[0]) or known[near[0]]}?" if near else ""
    if name.lower().replace(".", "") in ("am", "pm"):
        raise UserError("Write the hour as 21:00, without am or pm.")
    raise UserError(f"We do not know that time zone. Write it like Europe/Berlin.{meant}")


@lru_cache(maxsize=1)
def _zones() -> tuple[dict[str, str], dict[str, str]]:
    """Return the time zones by their names in small letters, and by those of their cities."""
    known = {zone.lower(): zone for zone in available_timezones()}
    return known, {zone.rpartition("/")[2].lower(): zone for zone in sorted(known.values())}


def _read(start: str, text: str, missing: str) -> Any:
    items = _reader(start).read(" ".join(text.split()))
    if len(items) != 1:
        raise UserError(missing)
    item = items[0]
    if isinstance(item, Unparsed):
        what = "schedule" if start == "schedule" else "length of time"
        place = f" (character {item.column})" if 1 < item.column <= len(item.text) else ""
        advice = _clock_advice(start, item.text) or f"{item.reason} {item.advice}".rstrip()
        raise UserError(f'"{item.text}" is not a {what}{place}. {advice}')
    return item.order


def _clock_advice(start: str, text: str) -> str:
    """Return the schedule with its hour of the day as we read it, or "" if that does not help."""
    corrected = _HOUR.sub(_of_24_hours, text)
    if start != "schedule" or corrected == text:
        return ""
    reader = _reader(start)
    for zone, advice in (("", "Write {}."), (" Europe/Berlin", "In which time zone? Write {}.")):
        items = reader.read(corrected + zone)
        if len(items) == 1 and not isinstance(items[0], Unparsed):
            return advice.format(corrected + zone)
    return ""


def _of_24_hours(hour: re.Match[str]) -> str:
    """Return ``18:00`` for ``6pm``."""
    hours = int(hour["hours"]) % 12 + (12 if hour["half"].lower() == "p" else 0)
    return f"{hours}:{hour['minutes'] or '00'}"


def _schedule(rule: Calendar | Span, *parts: CommandPart) -> Schedule:
    """Return the schedule. Raises UserError if its parts do not fit together."""
    found: dict[str, Any] = {"recesses": (), "phases": ()}
    for part in parts:
        if part.field in ("recesses", "phases"):
            found[part.field] += part.value
        elif part.field in found:
            raise UserError(f"The part {part.field.replace('_', ' ')} is here twice.")
        else:
            found[part.field] = part.value
    late = found.pop("not before", None)
    if late is not None:
        rule = _put_off(rule, *late)
    if len(found["recesses"]) > _MOST_RECESSES:
        raise UserError(f"A schedule has at most {_MOST_RECESSES} exceptions.")
    if len({span.phase for span in found["phases"]}) < len(found["phases"]):
        raise UserError("A phase is here twice.")
    renamed = {"not on": "closed", "at least": "apart"}
    return Schedule(rule, **{renamed.get(name, name): value for name, value in found.items()})


def _put_off(rule: Calendar | Span, at: time, zone: str) -> Span:
    if isinstance(rule, Calendar):
        raise UserError(
            "These days already have an hour. Use not before only with a length of time."
        )
    return replace(rule, not_before=at, zone=zone)


def _certain_days(*words: int | frozenset[int] | None) -> tuple[frozenset[int], int]:
    every = next((word for word in words if isinstance(word, int)), 1)
    return _union(*(word for word in words if isinstance(word, frozenset))), every


def _union(*days: frozenset[int]) -> frozenset[int]:
    return frozenset[int]().union(*days)


def _recess(first: date | YearDay, last: date | YearDay | None = None) -> Recess:
    """Return the recess. Raises UserError if its last day is too early or years away."""
    if last is not None and isinstance(first, date) and isinstance(last, date):
        if last < first:
            raise UserError(f"{last} is before {first}.")
        if last - first > _LONGEST:
            raise UserError(f"An exception lasts at most {_LONGEST.days} days. HOLD stops a game.")
    return Recess(first, last if last is not None else first)


def _year_day(day: int, month: int) -> YearDay:
    try:
        date(_LEAP_YEAR, month, day)
    except ValueError:
        raise UserError(f"{date(_LEAP_YEAR, month, 1):%B} has no day {day}.") from None
    return YearDay(month, day)


_BUILDERS: Final[dict[str, Callable[..., Any]]] = {
    "terms": _schedule,
    "calendar": lambda days, at, zone: Calendar(days[0], days[1], at, zone),
    "daily": lambda: (frozenset(range(7)), 1),
    "weekdays": lambda: (frozenset(range(5)), 1),
    "certain_days": _certain_days,
    "span": Span,
    "length": partial(length_of, most=_LONGEST, too_long=_TOO_LONG),
    "not_before": lambda at, zone: CommandPart("not before", (at, zone)),
    "closed": lambda *days: CommandPart("not on", _union(*days)),
    "recesses": lambda *recesses: CommandPart("recesses", recesses),
    "recess": _recess,
    "year_day": _year_day,
    "month_day": lambda month, day: _year_day(day, month),
    "apart": lambda length: CommandPart("at least", length),
    "phase_span": lambda phase, length: CommandPart("phases", (PhaseSpan(phase.lower(), length),)),
    "lengths": lambda *lengths: lengths,
}

_TERMINALS: Final[dict[str, Callable[[str], Any]]] = {
    "NUMBER": int,
    "UNIT": str,
    "DAY": lambda text: frozenset({WEEKDAYS.index(text[:3].lower())}),
    "WEEKS": lambda text: _WEEKS[text.lower()],
    "MONTH": lambda text: MONTHS.index(text[:3].lower()) + 1,
    "TIME": clock_time,
    "DATE": read_date,
    "ZONE": zone_named,
}

_UNFINISHED: Final = (
    "72 hours, not before 12:00 UTC x",
    "72 hours, not on Sunday x",
    "72 hours, except 1 May x",
    "72 hours, except 2030-05-01 x",
    "72 hours, at least 1 day apart x",
    "72 hours, in retreats 1 day x",
)
_SCHEDULES: Final = (
    Example("every Friday 18:00", "In which time zone? every Friday 18:00 Europe/Berlin."),
    Example("daily", "At what time? daily 20:00 UTC."),
    Example("weekdays", "At what time? weekdays 20:00 Europe/Berlin."),
    Example("every Friday", "At what time? every Friday 18:00 Europe/Berlin."),
    Example("every", "Every what? every Friday 18:00 Europe/Berlin, or every 72 hours."),
    Example("every x", "Every what? every Friday 18:00 Europe/Berlin, or every 72 hours."),
    Example("every second", "Which day? every second Friday 18:00 Europe/Berlin."),
    Example("72", "Expected hours or days after the number, as in 72 hours."),
    Example("72 hours, not before", "Not before what time? 72 hours, not before 12:00 UTC."),
    Example("72 hours, not x", "Not when? not before 12:00 UTC, or not on Sunday."),
    Example("72 hours, not on x", "Not on which days? not on Saturday and Sunday."),
    Example("72 hours, except x", "Except when? except 24 December to 2 January."),
    Example("72 hours, except 24", "Which day? except 24 December, or except 24 December 2030."),
    Example("72 hours, except December", "Which day of it? except 24 December."),
    Example("72 hours, except 24 December to", "Until when? except 24 December to 2 January."),
    Example("72 hours, at", "At least what? at least 2 days apart."),
    Example("72 hours, at least", "At least what? at least 2 days apart."),
    Example("72 hours, in", "In which phase? in homes 1 day."),
    Example("72 hours, in retreats", "How long is it? in homes 1 day."),
    *(
        Example(
            text,
            "Expected not before, not on, except, at least or in. "
            "For example: 72 hours, not on Sunday, except 1 May.",
        )
        for text in _UNFINISHED
    ),
    Example("daily 25:00 UTC", "Hours go from 0:00 to 23:59. daily 20:00 UTC."),
    Example("x", "Begin with daily, weekdays, every or a number, as in every Friday 18:00 UTC."),
)

_LENGTHS: Final = (
    Example("72", "Expected hours or days after the number, as in 72 hours."),
    Example("x", "Begin with a number, as in 2 days."),
)


@cache
def _reader(start: str) -> Reader:
    examples = _SCHEDULES if start == "schedule" else _LENGTHS
    grammar = Grammar("schedule.lark", _BUILDERS, _TERMINALS, examples, Separator.LINES)
    return Reader(grammar, start=start)
