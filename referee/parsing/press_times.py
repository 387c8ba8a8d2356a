"""A reader of the time at which a message goes out, as players write it."""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from referee.domain.days import ClockTime, Day, Weekday
from referee.domain.press import PressTime
from referee.parsing.days import WEEKDAYS, read_day
from referee.parsing.player_settings import clock_time
from referee.parsing.schedules import read_length, zone_named
from referee.rules.ruleset import UserError

_DEADLINE: Final = re.compile(r"deadline *(?:- *(.+))?", re.IGNORECASE)
_SHORT: Final = re.compile(r"(?<![0-9])([0-9]+) *(m|mins?|h|hrs?|d)\b", re.IGNORECASE)
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}
_CLOCK: Final = re.compile(r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9]")
_WEEKDAY: Final = re.compile(
    r"(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?\b,? *", re.IGNORECASE
)
_ADVICE: Final = "Write it like DEADLINE-2h, Fri 18:00 or 18 September 18:00."


def read_press_time(text: str) -> PressTime:
    """Return the time in *text*. Raises UserError with the fix."""
    if found := _DEADLINE.fullmatch(text):
        return PressTime(text, lead=_lead(found[1]))
    return PressTime(text, clock=_clock(text.split()))


def _clock(words: Sequence[str]) -> ClockTime:
    """Return the moment: a day or none, ``at`` or nothing, the time, and a time zone or none."""
    at = next((place for place in (-1, -2) if _CLOCK.fullmatch("".join(words[place:][:1]))), None)
    if at is None:
        raise UserError(f"When does it go out? {_ADVICE}")
    zone = zone_named(words[-1]) if at == -2 else ""
    day = list(words[:at])
    if day and day[-1].lower() == "at":
        day.pop()
    return ClockTime(clock_time(words[at]), _day(" ".join(day).rstrip(",") or None), zone)


def _lead(text: str | None) -> timedelta:
    """Return *text* as a length of time, spelled out or short; zero for None."""
    if text is None:
        return timedelta(0)
    return read_length(_SHORT.sub(lambda found: f"{found[1]} {_UNITS[found[2][0].lower()]}", text))


def _day(text: str | None) -> Day | Weekday | None:
    if text is None:
        return None
    weekday = _WEEKDAY.match(text)
    rest = text[weekday.end() :] if weekday is not None else text
    if weekday is not None and not rest:
        return Weekday(WEEKDAYS.index(weekday[1].lower()))
    try:
        return read_day(rest)
    except UserError as error:
        raise UserError(f"We do not know the day {text}. {_ADVICE}") from error
