"""The time of a message as players write it."""

from datetime import time, timedelta

import pytest

from referee.domain.days import ClockTime, NamedDay, NearDay, Weekday
from referee.domain.press import PressTime
from referee.parsing.press_times import read_press_time
from referee.rules.ruleset import UserError


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("DEADLINE-2h", timedelta(hours=2)),
        ("deadline - 30 min", timedelta(minutes=30)),
        ("DEADLINE-1d", timedelta(days=1)),
        ("DEADLINE -3 hours", timedelta(hours=3)),
        ("DEADLINE", timedelta(0)),
    ],
)
def test_a_time_before_the_deadline(text: str, lead: timedelta) -> None:
    assert read_press_time(text) == PressTime(text, lead=lead)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("18:00", ClockTime(time(18))),
        ("Fri 18:00", ClockTime(time(18), Weekday(4))),
        ("thursday, 9:30 UTC", ClockTime(time(9, 30), Weekday(3), "UTC")),
        ("tomorrow at 9:30", ClockTime(time(9, 30), NearDay(1))),
        ("Fri 18 Sep, 18:00", ClockTime(time(18), NamedDay(9, 18))),
        ("2030-09-18 18:00 UTC", ClockTime(time(18), NamedDay(9, 18, 2030), "UTC")),
    ],
)
def test_a_time_by_the_clock(text: str, clock: ClockTime) -> None:
    assert read_press_time(text) == PressTime(text, clock=clock)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("noon", "When does it go out?"),
        ("DEADLINE+2h", "When does it go out?"),
        ("DEADLINE-2", "Expected hours or days after the number"),
        ("DEADLINE-soon", "is not a length of time"),
        ("25:00", "When does it go out?"),
        ("someday 18:00", "We do not know the day someday."),
        ("Fri 18:00 Shire", "We do not know that time zone."),
    ],
)
def test_a_time_that_cannot_be_read_says_how_to_write_it(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words.replace("?", r"\?")):
        read_press_time(text)
