"""Deadlines: the next one, the first one, reminders, and the schedule in words."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.domain.deadlines import (
    Calendar,
    Schedule,
    Span,
    describe,
    first_deadline,
    next_deadline,
    reminder_due,
)

ZONES = (
    "America/Phoenix",
    "America/New_York",
    "Europe/Berlin",
    "Europe/London",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "America/St_Johns",
    "UTC",
)
FRIDAYS = Calendar(frozenset({4}), 2, time(18), "America/Phoenix")
WEEKDAYS = Calendar(frozenset(range(5)), 1, time(20), "Europe/Berlin")

calendars = st.builds(
    Calendar,
    st.frozensets(st.integers(0, 6), min_size=1),
    st.integers(1, 4),
    st.times().map(lambda at: at.replace(second=0, microsecond=0)),
    st.sampled_from(ZONES),
)
spans = st.builds(
    Span,
    st.integers(1, 60 * 24 * 30).map(lambda minutes: timedelta(minutes=minutes)),
    st.none() | st.times().map(lambda at: at.replace(second=0, microsecond=0)),
    st.sampled_from(ZONES),
)
moments = st.datetimes(
    min_value=datetime(2024, 1, 1),  # noqa: DTZ001 - Hypothesis adds the zone
    max_value=datetime(2028, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)


def test_every_second_friday_keeps_its_rhythm() -> None:
    deadline = datetime(2026, 9, 19, 1, tzinfo=UTC)
    assert next_deadline(FRIDAYS, deadline, deadline) == deadline + timedelta(weeks=2)


def test_a_late_adjudication_moves_nothing() -> None:
    deadline = datetime(2026, 9, 19, 1, tzinfo=UTC)
    late = deadline + timedelta(days=3)
    assert next_deadline(FRIDAYS, deadline, late) == deadline + timedelta(weeks=2)


def test_weekdays_pass_over_the_weekend() -> None:
    friday = datetime(2026, 11, 20, 19, tzinfo=UTC)
    assert next_deadline(WEEKDAYS, friday, friday) == datetime(2026, 11, 23, 19, tzinfo=UTC)


def test_the_local_hour_stays_when_summer_time_ends() -> None:
    friday = datetime(2026, 10, 23, 18, tzinfo=UTC)
    assert next_deadline(WEEKDAYS, friday, friday) == datetime(2026, 10, 26, 19, tzinfo=UTC)


def test_the_first_deadline_leaves_a_day() -> None:
    thursday = datetime(2026, 9, 18, 2, tzinfo=UTC)
    assert first_deadline(FRIDAYS, thursday) == datetime(2026, 10, 3, 1, tzinfo=UTC)


def test_a_span_is_put_off_to_the_hour_promised() -> None:
    span = Span(timedelta(hours=72), time(12), "Europe/Berlin")
    start = datetime(2026, 11, 20, 3, tzinfo=UTC)
    assert first_deadline(span, start) == datetime(2026, 11, 23, 11, tzinfo=UTC)


@given(calendars | spans, moments, moments)
def test_the_next_deadline_is_later_than_the_last_and_than_now(
    schedule: Schedule, scheduled: datetime, now: datetime
) -> None:
    deadline = next_deadline(schedule, scheduled, now)
    assert deadline > max(scheduled, now)


@given(calendars, moments, moments)
def test_a_calendar_keeps_day_and_hour(
    calendar: Calendar, scheduled: datetime, now: datetime
) -> None:
    deadline = next_deadline(calendar, scheduled, now)
    local = deadline.astimezone(ZoneInfo(calendar.zone))
    promised = datetime.combine(local.date(), calendar.at, local.tzinfo)
    # An hour that summer time skips cannot be kept; no day is lost with it.
    assume(promised.astimezone(UTC).astimezone(local.tzinfo) == promised)
    assert (local.weekday() in calendar.days, local.time()) == (True, calendar.at)


STEPS = (timedelta(hours=72), timedelta(hours=24), timedelta(hours=3))
DUE = datetime(2026, 9, 19, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "step"),
    [
        (timedelta(hours=80), None),
        (timedelta(hours=72), timedelta(hours=72)),
        (timedelta(hours=30), timedelta(hours=72)),
        (timedelta(hours=2), timedelta(hours=3)),
        (timedelta(0), None),
    ],
)
def test_only_the_nearest_reminder_is_due(before: timedelta, step: timedelta | None) -> None:
    assert reminder_due(DUE, STEPS, DUE - before) == step


@pytest.mark.parametrize(
    ("schedule", "text"),
    [
        (FRIDAYS, "every second Friday 18:00 America/Phoenix"),
        (WEEKDAYS, "weekdays 20:00 Europe/Berlin"),
        (Calendar(frozenset(range(7)), 1, time(20), "UTC"), "daily 20:00 UTC"),
        (Calendar(frozenset({1, 4}), 1, time(9, 30), "UTC"), "every Tuesday and Friday 09:30 UTC"),
        (Span(timedelta(seconds=3)), "3 seconds"),
        (Span(timedelta(days=14)), "14 days"),
        (Span(timedelta(hours=1), time(12), "UTC"), "1 hour, not before 12:00 UTC"),
    ],
)
def test_a_schedule_is_said_as_a_gm_writes_it(schedule: Schedule, text: str) -> None:
    assert describe(schedule) == text
