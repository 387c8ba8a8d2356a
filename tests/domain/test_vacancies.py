"""Vacant seats: how long an offer is open, and how much time a newcomer has."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.domain.deadlines import landed
from referee.domain.vacancies import (
    LONGEST_ANSWER,
    NEWCOMERS_TIME,
    SHORTEST_ANSWER,
    answer_span,
    newcomers_deadline,
)
from referee.parsing.schedules import read_schedule

BEGUN = datetime(2026, 10, 20, 18, tzinfo=UTC)
SCHEDULES = (
    "weekdays 20:00 Europe/Berlin",
    "every second Friday 18:00 America/Phoenix",
    "72 hours, not before 12:00 Europe/Lisbon, not on Sunday",
)


@given(st.timedeltas(timedelta(0), timedelta(days=400)))
def test_an_offer_is_open_for_half_a_day_to_two_days(turn: timedelta) -> None:
    assert SHORTEST_ANSWER <= answer_span(turn) <= LONGEST_ANSWER


@pytest.mark.parametrize(
    ("turn", "hours"), [(timedelta(days=1), 12), (timedelta(days=4), 24), (timedelta(days=14), 48)]
)
def test_an_offer_is_open_for_a_quarter_of_a_turn(turn: timedelta, hours: int) -> None:
    assert answer_span(turn) == timedelta(hours=hours)


def test_a_newcomer_with_enough_time_gets_no_extension() -> None:
    schedule = read_schedule("8 days")
    due = BEGUN + timedelta(days=8)
    assert newcomers_deadline(schedule, BEGUN, due, BEGUN + timedelta(days=5)) is None


def test_the_hour_stays_across_the_end_of_summer_time() -> None:
    schedule = read_schedule("weekdays 20:00 Europe/Berlin")
    due = datetime(2026, 10, 23, 18, tzinfo=UTC)
    moved = newcomers_deadline(schedule, BEGUN, due, due - timedelta(hours=1))
    # Three days later is Monday, on which 20:00 in Berlin is 19:00 UTC.
    assert moved == datetime(2026, 10, 26, 19, tzinfo=UTC)


@example("72 hours, not before 12:00 Europe/Lisbon, not on Sunday", timedelta(2, 0, 1), 1.0)
@given(
    st.sampled_from(SCHEDULES),
    st.timedeltas(timedelta(hours=1), timedelta(days=30)),
    st.floats(0, 1),
)
def test_a_newcomer_has_three_days_or_the_length_of_the_turn(
    words: str, length: timedelta, passed: float
) -> None:
    schedule = read_schedule(words)
    due, now = BEGUN + length, BEGUN + length * passed
    moved = newcomers_deadline(schedule, BEGUN, due, now)
    least = min(length, NEWCOMERS_TIME)
    assert (moved or due) - now >= least
    if moved is not None:
        assert landed(schedule, moved) == moved
        assert schedule.is_open(moved.astimezone(ZoneInfo(schedule.zone)).date())
        # A day more because of the hour, days that are left out, and an hour when summer time ends.
        left_out = timedelta(days=7 if schedule.calendar else 1)
        assert due < moved <= due + least + left_out + timedelta(days=1, hours=1)
