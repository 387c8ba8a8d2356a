"""The times of reminders, quiet hours and the daily digest, by the player's own clock."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.player_settings import DAILY_LETTER, Clock, QuietHours, reminder_due

STEPS = (timedelta(hours=72), timedelta(hours=24), timedelta(hours=3))
DUE = datetime(2026, 9, 19, 1, tzinfo=UTC)
NIGHT = QuietHours(time(22), time(7))
LONDON = Clock("UTC", NIGHT)
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/Phoenix", "Asia/Kolkata", "Pacific/Apia"])
TIMES = st.builds(time, st.integers(0, 23), st.sampled_from([0, 30]))
MOMENTS = st.integers(0, 2 * 365 * 24 * 60).map(lambda m: DUE + timedelta(minutes=m))
CLOCKS = st.builds(
    Clock,
    ZONES,
    st.none() | st.builds(QuietHours, TIMES, TIMES).filter(lambda hours: hours.begin != hours.end),
)


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
    assert reminder_due(DUE, STEPS, Clock("UTC"), DUE - before) == step


@pytest.mark.parametrize(
    ("deadline", "hours", "comes"),
    [
        # 03:00 with a day left waits until 07:00.
        ("2026-09-19 03:00", 24, "2026-09-18 07:00"),
        # 03:00 with three hours left would come after the deadline, so it comes at 22:00.
        ("2026-09-19 06:00", 3, "2026-09-18 22:00"),
        # 23:00 with ten hours left would leave two of them.
        ("2026-09-19 09:00", 10, "2026-09-18 22:00"),
        # 06:00 with ten hours left leaves nine of them.
        ("2026-09-19 16:00", 10, "2026-09-19 07:00"),
        # By day it comes on time.
        ("2026-09-19 20:00", 3, "2026-09-19 17:00"),
        # The end of the quiet hours is outside them.
        ("2026-09-19 10:00", 3, "2026-09-19 07:00"),
    ],
)
def test_a_reminder_avoids_quiet_hours(deadline: str, hours: int, comes: str) -> None:
    due = datetime.fromisoformat(deadline).replace(tzinfo=UTC)
    moment = LONDON.reminder(due, timedelta(hours=hours))
    assert f"{moment:%Y-%m-%d %H:%M}" == comes


@given(CLOCKS, MOMENTS)
def test_delayed_letters_go_when_the_quiet_hours_end(clock: Clock, moment: datetime) -> None:
    after = clock.after_quiet(moment)
    assert moment <= after <= moment + timedelta(hours=26)
    assert clock.after_quiet(after) == after


@given(CLOCKS, MOMENTS)
def test_a_daily_digest_comes_every_day(clock: Clock, now: datetime) -> None:
    due = clock.daily_letter(now)
    assert now < due <= now + timedelta(hours=26)
    assert clock.after_quiet(due) == due
    if clock.quiet is None:
        assert due.astimezone(ZoneInfo(clock.zone)).time() == DAILY_LETTER


@given(CLOCKS, MOMENTS, st.integers(1, 200))
def test_a_reminder_comes_before_its_deadline(clock: Clock, due: datetime, hours: int) -> None:
    step = timedelta(hours=hours)
    moment = clock.reminder(due, step)
    assert moment <= due - step / 2
    assert due - step - timedelta(hours=25) <= moment


def test_hours_are_written_as_a_player_writes_them() -> None:
    assert str(NIGHT) == "22:00-07:00"
