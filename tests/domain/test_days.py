"""Days and periods: found in a zone, counted whole, rejected with a reason."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.absences import MOST_AT_ONCE, MOST_IN_A_GAME, check_length
from referee.domain.days import (
    ClockTime,
    Day,
    Days,
    NamedDay,
    NearDay,
    Weekday,
    days_between,
    next_moment,
    spell,
)
from referee.rules.ruleset import UserError

NOW = datetime(2026, 9, 1, 5, tzinfo=UTC)
"""In Phoenix it is still 31 August."""
ZONES = st.sampled_from(["UTC", "America/Phoenix", "Europe/Berlin", "Pacific/Kiritimati"])


@pytest.mark.parametrize(
    ("first", "last", "zone", "days"),
    [
        (NamedDay(9, 18), NamedDay(10, 2), "UTC", (date(2026, 9, 18), date(2026, 10, 2))),
        (NamedDay(12, 20), NamedDay(1, 5), "UTC", (date(2026, 12, 20), date(2027, 1, 5))),
        (None, NearDay(1), "UTC", (date(2026, 9, 1), date(2026, 9, 2))),
        (None, NearDay(0), "America/Phoenix", (date(2026, 8, 31), date(2026, 8, 31))),
        (NamedDay(9, 1), NamedDay(9, 1), "UTC", (date(2026, 9, 1), date(2026, 9, 1))),
        (NamedDay(2, 29, 2028), NamedDay(3, 1, 2028), "UTC", (date(2028, 2, 29), date(2028, 3, 1))),
    ],
)
def test_days_are_found_where_the_player_lives(
    first: Day | None, last: Day, zone: str, days: tuple[date, date]
) -> None:
    found = spell(first, last, NOW, zone)
    assert (found.first, found.last) == days


@pytest.mark.parametrize(
    ("first", "last", "reason"),
    [
        (NamedDay(8, 31, 2026), NearDay(1), "Mon 31 Aug 2026 is over"),
        (NamedDay(9, 20), NamedDay(9, 18), "Fri 18 Sep 2026, the last day, is before"),
        (NamedDay(9, 20), NearDay(1), "Wed 2 Sep 2026, the last day, is before"),
        (None, NamedDay(2, 29), "there is no 29 February within a year; add the year"),
        (None, NamedDay(9, 31), "there is no 31 September 2026"),
        (None, NamedDay(13, 1, 2026), "there is no month 13"),
        (None, NamedDay(1, 1, 9999), "is too far away"),
        (None, NamedDay(1, 1, 0), "there is no 1 January 0"),
    ],
)
def test_impossible_days_are_rejected(first: Day | None, last: Day, reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        spell(first, last, NOW, "UTC")


@given(st.dates(date(2026, 1, 1), date(2030, 1, 1)), st.integers(1, 60), ZONES)
def test_whole_days_are_the_same_when_read_back(first: date, count: int, zone: str) -> None:
    days = Days(first, first + timedelta(days=count - 1), zone)
    assert days.count == count
    assert days_between(days.begins, days.ends, zone) == days


def test_a_period_that_ended_at_once_has_one_day() -> None:
    assert days_between(NOW, NOW, "UTC").count == 1


def of(count: int) -> Days:
    first = date(2026, 9, 1)
    return Days(first, first + timedelta(days=count - 1), "UTC")


def test_absences_use_up_the_days_of_a_game() -> None:
    assert check_length(of(MOST_AT_ONCE), 0) == MOST_IN_A_GAME - MOST_AT_ONCE
    assert check_length(of(1), MOST_IN_A_GAME - 1) == 0
    with pytest.raises(UserError, match="an absence has at most"):
        check_length(of(MOST_AT_ONCE + 1), 0)
    with pytest.raises(UserError, match="0 days of the 56"):
        check_length(of(1), MOST_IN_A_GAME)


@pytest.mark.parametrize(
    ("day", "hour", "moment"),
    [
        (NamedDay(12, 3), 18, datetime(2026, 12, 3, 17, tzinfo=UTC)),
        (NamedDay(9, 1), 18, datetime(2026, 9, 1, 16, tzinfo=UTC)),
        (NamedDay(1, 5), 6, datetime(2027, 1, 5, 5, tzinfo=UTC)),
        (NamedDay(8, 31, 2027), 18, datetime(2027, 8, 31, 16, tzinfo=UTC)),
        (NamedDay(8, 31, 2026), 18, datetime(2026, 8, 31, 16, tzinfo=UTC)),
    ],
)
def test_a_time_of_a_day_without_a_year_is_the_next_one(
    day: NamedDay, hour: int, moment: datetime
) -> None:
    assert next_moment(day, time(hour), "Europe/Berlin", NOW) == moment


@pytest.mark.parametrize(
    ("day", "hour", "passed"),
    [
        (NamedDay(9, 1), 6, "Tue 1 Sep 2026, 06:00"),
        (NamedDay(8, 31), 18, "Mon 31 Aug 2026, 18:00"),
    ],
)
def test_a_time_that_has_just_passed_needs_its_year(day: NamedDay, hour: int, passed: str) -> None:
    with pytest.raises(UserError, match=f"{passed} has passed. Write the year if you mean 2027."):
        next_moment(day, time(hour), "Europe/Berlin", NOW)


@pytest.mark.parametrize(
    ("clock", "moment"),
    [
        # It is Friday 18 September, 18:00 in Berlin.
        (ClockTime(time(18, 1)), datetime(2026, 9, 18, 16, 1, tzinfo=UTC)),
        (ClockTime(time(18)), datetime(2026, 9, 19, 16, tzinfo=UTC)),
        (ClockTime(time(18), Weekday(4)), datetime(2026, 9, 25, 16, tzinfo=UTC)),
        (ClockTime(time(17), Weekday(3)), datetime(2026, 9, 24, 15, tzinfo=UTC)),
        (ClockTime(time(17), NearDay(0)), datetime(2026, 9, 18, 15, tzinfo=UTC)),
        (ClockTime(time(18), NamedDay(9, 20), "UTC"), datetime(2026, 9, 20, 18, tzinfo=UTC)),
        (ClockTime(time(18), zone="UTC"), datetime(2026, 9, 18, 18, tzinfo=UTC)),
    ],
)
def test_a_time_by_the_clock_is_the_next_one(clock: ClockTime, moment: datetime) -> None:
    now = datetime(2026, 9, 18, 16, tzinfo=UTC)
    assert clock.after(now, "Europe/Berlin") == moment
