from contextlib import suppress
from datetime import time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.deadlines import Calendar, Schedule, Span, describe
from referee.parsing.schedules import read_schedule, zone_named
from referee.rules.ruleset import Mistake

BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        ("every second Friday 18:00 America/Phoenix",
         Calendar(frozenset({4}), 2, time(18), "America/Phoenix")),
        ("every other friday at 18:00 america/phoenix",
         Calendar(frozenset({4}), 2, time(18), "America/Phoenix")),
        ("weekdays 20:00 Europe/Berlin", Calendar(frozenset(range(5)), 1, time(20), BERLIN)),
        ("every Tuesday and Friday 20:00 Europe/Berlin",
         Calendar(frozenset({1, 4}), 1, time(20), BERLIN)),
        ("every mon, Wednesdays, and Fri 9:30 Europe/Berlin",
         Calendar(frozenset({0, 2, 4}), 1, time(9, 30), BERLIN)),
        ("daily 20:00 UTC", Calendar(frozenset(range(7)), 1, time(20), "UTC")),
        ("every day 20:00 UTC", Calendar(frozenset(range(7)), 1, time(20), "UTC")),
        ("72 hours", Span(timedelta(hours=72))),
        ("every 72 hours", Span(timedelta(hours=72))),
        ("72 hours, not before 12:00 Europe/Berlin", Span(timedelta(hours=72), time(12), BERLIN)),
        ("72 hours\n not before 12:00 Europe/Berlin", Span(timedelta(hours=72), time(12), BERLIN)),
        ("3 seconds", Span(timedelta(seconds=3))),
        ("14 days", Span(timedelta(days=14))),
        ("1 week", Span(timedelta(days=7))),
    ],
)  # fmt: skip
def test_a_schedule_reads_as_it_is_said(text: str, schedule: Schedule) -> None:
    assert read_schedule(text) == schedule


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "when are turns due?"),
        ("daily 20:00", "in which time zone? every Friday 18:00 Europe/Berlin."),
        ("daily", "at what time? daily 20:00 UTC."),
        ("every secnd Friday 18:00 UTC", "every what? every Friday 18:00 Europe/Berlin"),
        ("Friday 18:00 UTC", "begin with every. every Friday 18:00 UTC."),
        ("72", "72 of what? 72 hours."),
        ("0 hours", "a number here is at least 1."),
        ("999999999 weeks", "a turn lasts at most 366 days."),
        ("daily 25:00 UTC", "hours go from 0:00 to 23:59."),
        ("daily 20:00 Berlin", "there is no time zone Berlin; they are like Europe/Berlin."),
        ("daily 20:00 Europe/Berln", "Did you mean Europe/Berlin?"),
    ],
)  # fmt: skip
def test_what_is_no_schedule_says_why(text: str, says: str) -> None:
    with pytest.raises(Mistake) as caught:
        read_schedule(text)
    assert says in str(caught.value)


ZONES = st.sampled_from(["UTC", BERLIN, "America/Phoenix", "Etc/GMT-14", "America/Port-au-Prince"])
TIMES = st.times().map(lambda at: at.replace(second=0, microsecond=0))
CALENDARS = st.builds(
    Calendar, st.frozensets(st.integers(0, 6), min_size=1), st.integers(1, 4), TIMES, ZONES
)
SPANS = st.builds(Span, st.integers(1, 366 * 86400).map(lambda n: timedelta(seconds=n)))
LATE_SPANS = st.builds(Span, st.integers(1, 300).map(lambda n: timedelta(hours=n)), TIMES, ZONES)


@given(CALENDARS | SPANS | LATE_SPANS)
def test_reading_undoes_describing(schedule: Schedule) -> None:
    assert read_schedule(describe(schedule)) == schedule


@given(st.text())
def test_any_text_is_a_schedule_or_a_mistake(text: str) -> None:
    read: Schedule | None = None
    with suppress(Mistake):
        read = read_schedule(text)
    assert read is None or read_schedule(describe(read)) == read


def test_a_time_zone_is_written_properly() -> None:
    assert zone_named("europe/BERLIN") == BERLIN
    with pytest.raises(
        Mistake, match=r"there is no time zone Narnia; they are like Europe/Berlin\.$"
    ):
        zone_named("Narnia")
