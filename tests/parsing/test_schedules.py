"""Schedules read from a GM's words, and described in words that read the same."""

from contextlib import suppress
from datetime import date, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.schedules import (
    Calendar,
    PhaseSpan,
    Recess,
    Schedule,
    Span,
    YearDay,
    describe,
)
from referee.parsing.schedules import read_length, read_lengths, read_schedule, zone_named
from referee.rules.ruleset import UserError

BERLIN = "Europe/Berlin"
CHRISTMAS = Recess(YearDay(12, 24), YearDay(1, 2))
WEEKDAYS = Calendar(frozenset(range(5)), 1, time(20), BERLIN)


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
def test_a_schedule_is_read_as_described(text: str, schedule: Calendar | Span) -> None:
    assert read_schedule(text) == Schedule(schedule)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "When are turns due?"),
        ("daily 20:00", "In which time zone? every Friday 18:00 Europe/Berlin."),
        ("daily", "At what time? daily 20:00 UTC."),
        ("every seccnd Friday 18:00 UTC", "Every what? every Friday 18:00 Europe/Berlin"),
        ("Friday 18:00 UTC", "every or a number, as in every Friday 18:00 UTC."),
        ("72", "Expected hours or days after the number, as in 72 hours."),
        ("0 hours", "A number here must be at least 1."),
        ("999999999 weeks", "A turn lasts at most 366 days."),
        ("daily 25:00 UTC", "Hours go from 0:00 to 23:59."),
        ("daily 20:00 Berlin", "We do not know that time zone. Write it like Europe/Berlin."),
        ("daily 20:00 Europe/Berln", "Did you mean Europe/Berlin?"),
    ],
)  # fmt: skip
def test_text_that_is_not_a_schedule_gets_a_reason(text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        read_schedule(text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        ("weekdays 20:00 Europe/Berlin, except 24 Dec to 2 Jan",
         Schedule(WEEKDAYS, recesses=(CHRISTMAS,))),
        ("weekdays 20:00 Europe/Berlin except December 24 to January 2 and 2026-04-03",
         Schedule(WEEKDAYS, recesses=(CHRISTMAS, Recess(date(2026, 4, 3), date(2026, 4, 3))))),
        ("weekdays 20:00 Europe/Berlin except 24 Dec to 2 Jan and April 3, 2026",
         Schedule(WEEKDAYS, recesses=(CHRISTMAS, Recess(date(2026, 4, 3), date(2026, 4, 3))))),
        ("weekdays 20:00 Europe/Berlin except 24 Dec 2026 to 2 January 2027",
         Schedule(WEEKDAYS, recesses=(Recess(date(2026, 12, 24), date(2027, 1, 2)),))),
        ("weekdays 20:00 Europe/Berlin, except 24 Dec to 2 Jan, except 1 May",
         Schedule(WEEKDAYS, recesses=(CHRISTMAS, Recess(YearDay(5, 1), YearDay(5, 1))))),
        ("72 hours, not on Sat, Sun and Mon",
         Schedule(Span(timedelta(hours=72)), frozenset({5, 6, 0}))),
        ("72 hours, not on Sunday, not before 12:00 UTC",
         Schedule(Span(timedelta(hours=72), time(12)), frozenset({6}))),
        ("weekdays 20:00 Europe/Berlin, in Retreats 1 day, in builds 2 hours, at least 36 hours",
         Schedule(WEEKDAYS, apart=timedelta(hours=36), phases=(
             PhaseSpan("retreats", timedelta(days=1)), PhaseSpan("builds", timedelta(hours=2))))),
    ],
)  # fmt: skip
def test_the_parts_after_the_rule_can_be_in_any_sequence(text: str, schedule: Schedule) -> None:
    assert read_schedule(text) == schedule


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("72 hours, excep 1 May", "(character 11). Expected not before, not on, except"),
        ("daily 20:00 UTC, except 31 Feb", "February has no day 31."),
        ("daily 20:00 UTC, except 31 Feb 2027", "There is no date 31 Feb 2027."),
        ("daily 20:00 UTC, except 24 Xyz 2027", "There is no date 24 Xyz 2027."),
        ("daily 20:00 UTC, except 2026-13-01", "There is no date 2026-13-01"),
        ("daily 20:00 UTC, except 2026-12-24 to 2026-12-20", "2026-12-20 is before 2026-12-24."),
        ("daily 20:00 UTC, except 2026-01-01 to 2027-12-20", "HOLD stops a game."),
        ("daily 20:00 UTC, not before 12:00 UTC", "These days already have an hour."),
        ("72 hours, not on Sunday, not on Monday", "The part not on is here twice."),
        ("72 hours, in retreats 1 day, in RETREATS 2 days", "A phase is here twice."),
        ("every Friday 18:00 UTC, not on Friday", "leaves hardly any day"),
        ("72 hours, in retreats", "How long is it? in homes 1 day."),
        ("72 hours, at least", "At least what? at least 2 days apart."),
        ("72 hours, not on", "Not on which days? not on Saturday and Sunday."),
        ("72 hours, except 24 December to", "Until when? except 24 December to 2 January."),
        ("72 hours" + ", except 1 May" * 21, "A schedule has at most 20 exceptions."),
    ],
)  # fmt: skip
def test_a_part_that_does_not_fit_gets_a_reason(text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        read_schedule(text)
    assert says in str(caught.value)


def test_lengths_of_time_are_read_without_a_rule() -> None:
    assert read_length("2 days") == timedelta(days=2)
    steps = (timedelta(days=3), timedelta(days=1), timedelta(hours=3))
    assert read_lengths("3 hours, 1 day and 3 days, 24 hours") == steps
    for text in ("", "x", "2", "daily 20:00 UTC"):
        with pytest.raises(UserError):
            read_length(text)


ZONES = st.sampled_from(["UTC", BERLIN, "America/Phoenix", "Etc/GMT-14", "America/Port-au-Prince"])
TIMES = st.times().map(lambda at: at.replace(second=0, microsecond=0))
CALENDARS = st.builds(
    Calendar, st.frozensets(st.integers(0, 6), min_size=1), st.integers(1, 4), TIMES, ZONES
)
SPANS = st.builds(Span, st.integers(1, 366 * 86400).map(lambda n: timedelta(seconds=n)))
LATE_SPANS = st.builds(Span, st.integers(1, 300).map(lambda n: timedelta(hours=n)), TIMES, ZONES)
YEAR_DAYS = st.dates(date(2024, 1, 1), date(2024, 12, 31)).map(lambda d: YearDay(d.month, d.day))
RECESSES = st.builds(Recess, YEAR_DAYS, YEAR_DAYS) | st.builds(
    lambda first, days: Recess(first, first + timedelta(days=days)), st.dates(
        date(1000, 1, 1), date(9000, 1, 1)), st.integers(0, 366)
)  # fmt: skip
PHASES = st.lists(
    st.builds(
        PhaseSpan,
        st.from_regex(r"[a-z][a-z0-9_-]{0,12}", fullmatch=True),
        st.integers(1, 99).map(lambda n: timedelta(minutes=n)),
    ),
    max_size=3,
    unique_by=lambda span: span.phase,
)
SCHEDULES = st.builds(
    Schedule,
    CALENDARS | SPANS | LATE_SPANS,
    st.frozensets(st.integers(0, 6), max_size=6),
    st.lists(RECESSES, max_size=4).map(tuple),
    st.integers(0, 366 * 24).map(lambda n: timedelta(hours=n)),
    PHASES.map(tuple),
).filter(Schedule.is_possible)


@given(SCHEDULES)
def test_reading_undoes_describing(schedule: Schedule) -> None:
    assert read_schedule(describe(schedule)) == schedule


@given(st.text())
def test_any_text_is_a_schedule_or_a_mistake(text: str) -> None:
    read: Schedule | None = None
    with suppress(UserError):
        read = read_schedule(text)
    assert read is None or read_schedule(describe(read)) == read


def test_a_time_zone_is_spelled_correctly() -> None:
    assert zone_named("europe/BERLIN") == BERLIN
    with pytest.raises(
        UserError, match=r"We do not know that time zone. Write it like Europe/Berlin\.$"
    ):
        zone_named("Narnia")
