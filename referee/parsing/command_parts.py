"""Parts of commands: their fields, and days and periods as people write them."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, time, timedelta
from types import ModuleType
from typing import Any, Final, TypedDict

from referee.domain.commands import Command
from referee.domain.days import Day, NamedDay, NearDay, Weekday
from referee.rules.ruleset import UserError

_FULL: Final = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
MONTHS: Final = tuple(name[:3] for name in _FULL)
_NEAR: Final = {"today": 0, "tomorrow": 1}
WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""How the names of weekdays begin, Monday first."""
_YEAR_FIRST: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_DOTTED: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})?")
_DAY_FIRST: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)? *([a-z]+)\.?,? *(\d{4})?")
_MONTH_FIRST: Final = re.compile(r"([a-z]+)\.? *(\d{1,2})(?:st|nd|rd|th)?(?:,? +(\d{4}))?")
_WEEKDAY: Final = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CommandPart:
    """A part that can be anywhere in a command: a field and its value."""

    field: str
    value: Any


class PeriodFields(TypedDict):
    """The fields of a command with a period: its first and last day."""

    first: Day | None
    last: Day


def period_fields(days: Sequence[Day]) -> PeriodFields:
    """Return the fields for one day or two: the last, and before it the first."""
    return {"first": days[0] if len(days) > 1 else None, "last": days[-1]}


def read_day(text: str) -> Day:
    """Return the day that *text* names. Raises UserError if it is ambiguous or not a day."""
    text = " ".join(text.lower().split())
    if text in _NEAR:
        return NearDay(_NEAR[text])
    if found := _YEAR_FIRST.fullmatch(text):
        return _day(found[3], int(found[2]), found[1])
    if found := _DOTTED.fullmatch(text):
        return _day(found[1], int(found[2]), found[3])
    if found := _DAY_FIRST.fullmatch(text):
        return _day(found[1], _month(found[2]), found[3])
    if found := _MONTH_FIRST.fullmatch(text):
        return _day(found[2], _month(found[1]), found[3])
    raise UserError(f"{text} could mean two different days. Write 18 September or 2030-09-18.")


def read_dated(text: str) -> NamedDay:
    """Return the day that *text* names, with or without its year. Raises UserError if none."""
    day = read_day(_WEEKDAY.sub("", text.rstrip(",")))
    with suppress(ValueError):
        if isinstance(day, NamedDay):
            # A leap year has all days.
            date(day.year or 2024, day.month, day.day)
            return day
    raise UserError(f"There is no date {text}. Write it like 18 September or 2030-09-18.")


def read_coming(text: str) -> NearDay | Weekday:
    """Return the day that today, tomorrow or the name of a weekday means."""
    word = text.lower().rstrip(",")
    return NearDay(_NEAR[word]) if word in _NEAR else Weekday(WEEKDAYS.index(word[:3]))


def read_date(text: str) -> date:
    """Return the date that *text* names, with its year. Raises UserError if there is none."""
    try:
        day = read_day(_WEEKDAY.sub("", text.rstrip(",")))
        if isinstance(day, NamedDay) and day.year is not None:
            return date(day.year, day.month, day.day)
    except ValueError:
        pass
    raise UserError(f"There is no date {text}. Write it like 18 September 2030 or 2030-09-18.")


def _month(word: str) -> int:
    """Return the number of a month that is written in full or abbreviated to three letters."""
    if word[:3] not in MONTHS or not _FULL[MONTHS.index(word[:3])].startswith(word):
        raise UserError(f"Unknown month {word.capitalize()}. Write 18 September or 2030-09-18.")
    return MONTHS.index(word[:3]) + 1


def _day(day: str, month: int, year: str | None) -> NamedDay:
    return NamedDay(month, int(day), int(year) if year else None)


def length_of(count: int, unit: str, most: timedelta, too_long: str) -> timedelta:
    """Return a length of time. Raises UserError, *too_long*, if it is more than the *most*."""
    unit = unit.lower().rstrip("s") + "s"
    # The bound is checked first, because a timedelta of too many weeks is an error of its own.
    if count > most.total_seconds() or timedelta(**{unit: count}) > most:
        raise UserError(too_long)
    return timedelta(**{unit: count})


def clock_time(text: str) -> time:
    """Return the time of day in *text*, such as ``22:00``."""
    hours, _, minutes = text.partition(":")
    return time(int(hours), int(minutes))


def named(commands: ModuleType) -> dict[str, type[Command]]:
    """Return the commands of a module by the rules named like them: SetGrace by ``set_grace``."""
    classes = [each for each in vars(commands).values() if isinstance(each, type)]
    return {
        re.sub(r"(?<=[a-z])(?=[A-Z])", "_", each.__name__).lower(): each
        for each in classes
        if issubclass(each, Command) and each.__module__ == commands.__name__
    }


def fields_of(*parts: CommandPart) -> dict[str, Any]:
    """Return the fields of *parts*. Raises UserError if one is given twice."""
    fields: dict[str, Any] = {}
    for part in parts:
        if part.field == "options":
            fields["options"] = (*fields.get("options", ()), *part.value)
            continue
        if part.field in fields:
            raise UserError(f"The {part.field.replace('_', ' ')} is here twice.")
        fields[part.field] = part.value
    return fields


def phrase(*words: str) -> str:
    """Return the words of a phrase with a blank between them."""
    return " ".join(words)


def unquoted(text: str) -> str:
    """Return the text without quotes around it."""
    return text.strip('"').strip()
