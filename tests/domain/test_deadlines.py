"""Deadlines: the first one, the next one across summer time and holidays, and extensions."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.deadlines import (
    FIRST_NOTICE,
    Ended,
    closing,
    coming,
    early_end,
    first_deadline,
    landed,
    next_deadline,
    notice,
    resumed_deadline,
)
from referee.domain.schedules import Calendar, PhaseSpan, Recess, Schedule, Span, YearDay
from referee.parsing.schedules import read_schedule
from tests.support.examples import examples

CHANGING = (
    "America/New_York",
    "America/Santiago",
    "America/St_Johns",
    "Asia/Beirut",
    "Australia/Lord_Howe",
    "Europe/Berlin",
    "Europe/London",
    "Pacific/Auckland",
)
"""Zones with summer time: in either half of the year, by half an hour, and at midnight."""
ZONES = (*CHANGING, "America/Phoenix", "Asia/Kathmandu")
EVERY_DAY = frozenset(range(7))
DAY = timedelta(days=1)
SECOND_FRIDAYS = Schedule(Calendar(frozenset({4}), 2, time(18), "America/Phoenix"))
WEEKDAYS = Schedule(Calendar(frozenset(range(5)), 1, time(20), "Europe/Berlin"))
CHRISTMAS = Recess(YearDay(12, 24), YearDay(1, 2))

# The second occurrence of an hour that comes twice cannot be written.
hours = st.times().map(lambda at: at.replace(second=0, microsecond=0, fold=0))
calendars = st.builds(
    Calendar,
    st.frozensets(st.integers(0, 6), min_size=1),
    st.integers(1, 4),
    hours,
    st.sampled_from(ZONES),
)
spans = st.builds(
    Span,
    st.integers(1, 60 * 24 * 30).map(lambda minutes: timedelta(minutes=minutes)),
    st.none() | hours,
    st.sampled_from(ZONES),
)
year_days = st.builds(YearDay, st.integers(1, 12), st.integers(1, 28))
dates = st.dates(date(2024, 1, 1), date(2028, 1, 1))
recesses = st.builds(Recess, year_days, year_days) | st.builds(
    lambda first, days: Recess(first, first + timedelta(days=days)), dates, st.integers(0, 40)
)
schedules = st.builds(
    Schedule,
    calendars | spans,
    st.frozensets(st.integers(0, 6), max_size=3),
    st.lists(recesses, max_size=3).map(tuple),
    st.sampled_from([timedelta(0), timedelta(hours=36), timedelta(days=9)]),
    st.sampled_from([(), (PhaseSpan("retreats", timedelta(hours=30)),)]),
).filter(Schedule.is_possible)
moments = st.datetimes(
    min_value=datetime(2024, 1, 1),  # noqa: DTZ001 - Hypothesis adds the zone
    max_value=datetime(2028, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)
phases = st.sampled_from(["orders", "retreats"])


def at(text: str, zone: str = "UTC") -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def without_grace(scheduled: datetime, due: datetime, now: datetime) -> Ended:
    return Ended(scheduled, due, now, due)


def on_time(deadline: datetime) -> Ended:
    return without_grace(deadline, deadline, deadline)


def usual(schedule: Schedule) -> timedelta:
    """Return the shortest time from one day of a calendar to the next."""
    rule = schedule.rule
    assert isinstance(rule, Calendar)
    days = sorted(rule.days - schedule.closed)
    return min(b - a for a, b in pairwise([*days, days[0] + 7 * rule.every])) * DAY


def promised(schedule: Schedule, deadline: datetime, hour: time) -> datetime:
    """Return the hour on the deadline's day; a time skipped by summer time is one hour later."""
    zone = ZoneInfo(schedule.zone)
    local = deadline.astimezone(zone)
    return datetime.combine(local.date(), hour, zone).astimezone(UTC)


def test_every_second_friday_keeps_its_rhythm() -> None:
    deadline = at("2026-09-19 01:00")
    assert next_deadline(SECOND_FRIDAYS, on_time(deadline)) == deadline + timedelta(weeks=2)


def test_neither_late_work_nor_an_extension_moves_the_rhythm() -> None:
    deadline = at("2026-09-19 01:00")
    monday = deadline + timedelta(days=3)
    for ended in (
        without_grace(deadline, deadline, monday),
        without_grace(deadline, monday, monday),
    ):
        assert next_deadline(SECOND_FRIDAYS, ended) == deadline + timedelta(weeks=2)


def test_weekdays_pass_over_the_weekend() -> None:
    friday = at("2026-11-20 19:00")
    assert next_deadline(WEEKDAYS, on_time(friday)) == at("2026-11-23 19:00")


@pytest.mark.parametrize(
    ("zone", "before", "after"),
    [
        ("Europe/Berlin", "2026-03-27 20:00", "2026-03-30 20:00"),
        ("Europe/Berlin", "2026-10-23 20:00", "2026-10-26 20:00"),
        ("America/New_York", "2026-03-06 20:00", "2026-03-09 20:00"),
        ("America/St_Johns", "2026-10-30 20:00", "2026-11-02 20:00"),
        ("Australia/Lord_Howe", "2026-04-03 20:00", "2026-04-06 20:00"),
        ("Pacific/Auckland", "2026-09-25 20:00", "2026-09-28 20:00"),
    ],
)
def test_the_local_hour_stays_when_summer_time_changes(zone: str, before: str, after: str) -> None:
    weekdays = Schedule(Calendar(frozenset(range(5)), 1, time(20), zone))
    assert next_deadline(weekdays, on_time(at(before, zone))) == at(after, zone)


def test_an_hour_skipped_by_summer_time_becomes_the_next_one() -> None:
    nightly = Schedule(Calendar(EVERY_DAY, 1, time(2, 30), "Europe/Berlin"))
    saturday = at("2026-03-28 02:30", "Europe/Berlin")
    assert coming(nightly, saturday, 2) == [
        at("2026-03-29 03:30", "Europe/Berlin"),
        at("2026-03-30 02:30", "Europe/Berlin"),
    ]


@pytest.mark.parametrize("zone", CHANGING)
@examples(5)
@given(hour=hours, start=moments)
def test_a_year_of_days_keeps_its_hour_across_both_changes(
    zone: str, hour: time, start: datetime
) -> None:
    daily = Schedule(Calendar(EVERY_DAY, 1, hour, zone))
    # A change can come a week later than in the year before.
    deadlines = coming(daily, first_deadline(daily, start), 380)
    local = [deadline.astimezone(ZoneInfo(zone)) for deadline in deadlines]
    changes = {offset(after) - offset(before) for before, after in pairwise(local)}
    assert min(changes) < timedelta(0) < max(changes)
    assert all(after.date() - before.date() == DAY for before, after in pairwise(local))
    assert deadlines == [promised(daily, deadline, hour) for deadline in deadlines]


def offset(local: datetime) -> timedelta:
    """Return how far a local time is ahead of UTC."""
    ahead = local.utcoffset()
    assert ahead is not None
    return ahead


def test_the_first_deadline_leaves_a_day() -> None:
    thursday = at("2026-09-18 02:00")
    assert first_deadline(SECOND_FRIDAYS, thursday) == at("2026-09-26 01:00")
    assert first_deadline(SECOND_FRIDAYS, thursday - 2 * DAY) == at("2026-09-19 01:00")


def test_the_first_turn_keeps_the_least_time_between_turns() -> None:
    start = at("2026-11-20 12:00")
    daily = Schedule(Calendar(EVERY_DAY, 1, time(20), "UTC"), apart=3 * DAY)
    assert first_deadline(daily, start) == at("2026-11-23 20:00")
    short = Schedule(Span(DAY), apart=3 * DAY)
    assert first_deadline(short, start) == start + 3 * DAY


def test_a_span_is_put_off_to_the_promised_hour() -> None:
    span = Schedule(Span(timedelta(hours=72), time(12), "Europe/Berlin"))
    assert first_deadline(span, at("2026-11-20 03:00")) == at("2026-11-23 11:00")


def test_a_span_waits_for_a_day_that_is_open() -> None:
    span = Schedule(Span(timedelta(hours=72)), frozenset({5, 6}), (CHRISTMAS,))
    assert first_deadline(span, at("2026-11-18 15:00")) == at("2026-11-23 15:00")
    assert first_deadline(span, at("2026-12-22 15:00")) == at("2027-01-04 15:00")
    late = Schedule(Span(timedelta(hours=72), time(12)), frozenset({5, 6}))
    assert first_deadline(late, at("2026-11-18 15:00")) == at("2026-11-23 12:00")


def test_a_calendar_passes_over_holidays() -> None:
    schedule = Schedule(WEEKDAYS.rule, recesses=(CHRISTMAS,))
    assert next_deadline(schedule, on_time(at("2026-12-23 19:00"))) == at("2027-01-04 19:00")


def test_turns_have_the_least_time_between_them() -> None:
    rule = Calendar(frozenset({1, 4}), 1, time(20), "UTC")
    friday, sunday = at("2026-11-20 20:00"), at("2026-11-22 20:00")
    extended = without_grace(friday, sunday, sunday)
    assert next_deadline(Schedule(rule), extended) == at("2026-11-24 20:00")
    apart = Schedule(rule, apart=timedelta(days=3))
    assert next_deadline(apart, extended) == at("2026-11-27 20:00")
    # The exact distance is enough, even if the turn was resolved a moment later.
    daily = Schedule(Calendar(EVERY_DAY, 1, time(20), "UTC"), apart=timedelta(days=1))
    late = without_grace(friday, friday, friday + timedelta(seconds=5))
    assert next_deadline(daily, late) == at("2026-11-21 20:00")


def test_a_turn_resolved_hours_late_leaves_a_days_notice() -> None:
    daily = Schedule(Calendar(EVERY_DAY, 1, time(20), "UTC"))
    friday = at("2026-11-20 20:00")
    late = without_grace(friday, friday, friday + timedelta(hours=20))
    assert next_deadline(daily, late) == at("2026-11-22 20:00")


def test_a_turn_resolved_early_shortens_no_span() -> None:
    span = Schedule(Span(timedelta(hours=72)))
    friday = at("2026-11-20 20:00")
    early = friday - timedelta(days=2)
    assert next_deadline(span, without_grace(friday, friday, early)) == early + timedelta(hours=72)


def test_a_phase_has_a_length_of_its_own_and_keeps_the_rhythm() -> None:
    schedule = Schedule(SECOND_FRIDAYS.rule, phases=(PhaseSpan("retreats", timedelta(days=4)),))
    friday = at("2026-09-19 01:00")
    retreats = next_deadline(schedule, on_time(friday), "retreats")
    assert retreats == friday + timedelta(days=4)
    after = without_grace(friday, retreats, retreats)
    assert next_deadline(schedule, after, "orders") == friday + timedelta(weeks=2)


@given(schedules, moments, moments, moments, phases)
def test_the_next_deadline_is_later_than_all_before_and_on_an_open_day(
    schedule: Schedule, scheduled: datetime, due: datetime, now: datetime, phase: str
) -> None:
    deadline = next_deadline(schedule, without_grace(scheduled, due, now), phase)
    assert deadline >= now + notice(schedule, phase)
    assert deadline > now
    if schedule.span_of(phase) is None:
        assert deadline - min(due, now) >= schedule.apart
    if now < due and isinstance(schedule.rule, Calendar) and schedule.span_of(phase) is None:
        assert deadline >= now + usual(schedule) / 2
    elif now >= due:
        assert deadline > due
    assert schedule.is_open(deadline.astimezone(ZoneInfo(schedule.zone)).date())


@given(schedules, moments)
def test_deadlines_keep_day_and_hour_over_years(schedule: Schedule, start: datetime) -> None:
    deadlines = [first_deadline(schedule, start)]
    deadlines += coming(schedule, deadlines[0], 30)
    assert deadlines[0] > start
    assert all(before < after for before, after in pairwise(deadlines))
    rule = schedule.rule
    for deadline in deadlines:
        local = deadline.astimezone(ZoneInfo(schedule.zone))
        assert schedule.is_open(local.date())
        if isinstance(rule, Calendar):
            assert local.weekday() in rule.days
            assert deadline == promised(schedule, deadline, rule.at)
        elif rule.not_before is not None:
            assert deadline >= promised(schedule, deadline, rule.not_before)
    if isinstance(rule, Calendar):
        assert deadlines[0] >= start + FIRST_NOTICE
        mondays = {
            (local.date() - timedelta(days=local.weekday())).toordinal() // 7
            for local in (each.astimezone(ZoneInfo(rule.zone)) for each in deadlines)
        }
        assert len({monday % rule.every for monday in mondays}) == 1


HOUR = timedelta(hours=1)
RHYTHMS = (
    Schedule(Calendar(EVERY_DAY, 1, time(20), "UTC")),
    WEEKDAYS,
    SECOND_FRIDAYS,
    Schedule(Calendar(frozenset({1, 4}), 1, time(18), "America/New_York"), recesses=(CHRISTMAS,)),
    Schedule(Calendar(EVERY_DAY, 1, time(9), "UTC"), frozenset({5, 6}), apart=DAY),
    Schedule(Span(DAY)),
    Schedule(Span(72 * HOUR, time(12), "Europe/Berlin"), frozenset({5, 6})),
    Schedule(Span(14 * DAY), recesses=(CHRISTMAS,)),
)
GRACES = tuple(timedelta(minutes=minutes) for minutes in (0, 30, 60, 61, 120, 600))


@pytest.mark.parametrize("grace", GRACES)
@pytest.mark.parametrize("schedule", RHYTHMS)
def test_a_grace_keeps_the_rhythm_and_the_preview_is_what_comes(
    schedule: Schedule, grace: timedelta
) -> None:
    due = first_deadline(schedule, at("2026-12-18 15:00"))
    usually, preview = coming(schedule, due, 6), coming(schedule, due, 6, grace)
    scheduled, came = due, list[datetime]()
    for _ in range(6):
        # A round of the loop comes some seconds after the grace.
        closes = closing(schedule, due, grace)
        ended = Ended(scheduled, due, closes + timedelta(seconds=5), closes)
        scheduled = due = next_deadline(schedule, ended)
        came.append(due)
    assert preview == came == usually


@given(schedules, moments, st.integers(0, 7 * 24 * 60), st.integers(0, 100))
def test_a_grace_of_any_length_leaves_the_notice_as_its_preview_says(
    schedule: Schedule, start: datetime, minutes: int, seconds: int
) -> None:
    grace = timedelta(minutes=minutes)
    due = first_deadline(schedule, start)
    for after in coming(schedule, due, 5, grace):
        closes = closing(schedule, due, grace)
        assert after - closes >= notice(schedule)
        assert next_deadline(schedule, Ended(due, due, closes, closes)) == after
        due = after


@pytest.mark.parametrize(
    ("schedule", "least"),
    [
        (Schedule(Calendar(EVERY_DAY, 1, time(20), "UTC")), 12 * HOUR),
        (WEEKDAYS, 12 * HOUR),
        (SECOND_FRIDAYS, DAY),
        (Schedule(Calendar(frozenset({4}), 1, time(20), "UTC"), frozenset({5})), DAY),
        (Schedule(Span(DAY)), 12 * HOUR),
        (Schedule(Span(HOUR)), HOUR / 2),
        (Schedule(Span(DAY), apart=3 * DAY), DAY),
    ],
)
def test_the_notice_is_half_a_turn_and_at_most_a_day(schedule: Schedule, least: timedelta) -> None:
    assert notice(schedule) == least
    assert notice(Schedule(schedule.rule, phases=(PhaseSpan("homes", HOUR),)), "homes") == HOUR / 2


def test_a_turn_after_a_late_deadline_is_not_one_of_minutes() -> None:
    daily = Schedule(Calendar(EVERY_DAY, 1, time(20), "UTC"))
    friday = at("2026-11-20 20:00")
    for late in (13, 22, 23):
        moved = friday + late * HOUR
        assert next_deadline(daily, without_grace(friday, moved, moved)) == friday + 2 * DAY
    moved = friday + 12 * HOUR
    assert next_deadline(daily, without_grace(friday, moved, moved)) == friday + DAY


def test_the_scheduled_day_comes_again_after_an_earlier_deadline() -> None:
    friday = at("2026-09-19 01:00")
    moved = friday - 2 * DAY
    assert next_deadline(SECOND_FRIDAYS, without_grace(friday, moved, moved)) == friday
    last_week = friday - 7 * DAY
    assert next_deadline(SECOND_FRIDAYS, without_grace(friday, last_week, last_week)) == friday


@pytest.mark.parametrize(
    ("days_before", "fair", "weeks_after"),
    [(0, 50, 2), (6, 50, 2), (7, 50, 0), (13, 50, 0), (6, 40, 0), (2, 0, 0), (13, 100, 2)],
)
@pytest.mark.parametrize("is_span", [False, True])
def test_after_an_early_turn_the_first_day_that_leaves_a_fair_time_comes(
    days_before: int, fair: int, weeks_after: int, is_span: bool
) -> None:
    friday = at("2026-09-19 01:00")
    now = friday - days_before * DAY
    due = now if is_span else friday
    ended = Ended(friday, due, now, due, is_span=is_span, fair=fair)
    assert next_deadline(SECOND_FRIDAYS, ended) == friday + timedelta(weeks=weeks_after)


def test_turns_of_eager_players_leave_the_calendar_where_it_is() -> None:
    due, now = at("2026-09-19 01:00"), at("2026-09-07 12:00")
    for _ in range(6):
        due = next_deadline(SECOND_FRIDAYS, without_grace(due, due, now))
        now += timedelta(minutes=5)
    assert due == at("2026-09-19 01:00")


@given(schedules, moments, st.timedeltas(timedelta(0), timedelta(days=20)))
def test_a_moved_deadline_is_on_an_open_day_and_no_earlier(
    schedule: Schedule, due: datetime, later: timedelta
) -> None:
    zone = ZoneInfo(schedule.zone)
    found = landed(schedule, due, later)
    local, wanted = found.astimezone(zone), due.astimezone(zone).replace(tzinfo=None) + later
    assert schedule.is_open(local.date())
    # By the clock, a moment in an hour that comes twice can be the first or the second one.
    assert local.replace(tzinfo=None) >= wanted - 2 * HOUR
    assert landed(schedule, found) == found
    if isinstance(schedule.rule, Span) and schedule.rule.not_before is not None:
        assert found >= promised(schedule, found, schedule.rule.not_before)


def test_days_of_an_extension_count_by_the_clock() -> None:
    fridays = Schedule(Calendar(frozenset({4}), 1, time(18), "Europe/Berlin"))
    summer = at("2026-10-23 18:00", "Europe/Berlin")
    assert landed(fridays, summer, 7 * DAY) == at("2026-10-30 18:00", "Europe/Berlin")
    assert landed(fridays, summer, 7 * DAY + HOUR) == at("2026-10-30 19:00", "Europe/Berlin")
    assert landed(fridays, summer, 60 * HOUR) == at("2026-10-30 18:00", "Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "due", "later", "expected"),
    [
        ("weekdays 20:00 UTC", "2026-09-04 20:00", 3 * HOUR, "2026-09-04 23:00"),
        ("weekdays 20:00 UTC", "2026-09-04 20:00", 5 * HOUR, "2026-09-07 20:00"),
        ("weekdays 20:00 UTC", "2026-09-03 20:00", DAY, "2026-09-04 20:00"),
        ("every Friday 18:00 UTC", "2026-09-04 18:00", 2 * DAY, "2026-09-11 18:00"),
        ("every second Friday 18:00 UTC", "2026-09-04 18:00", 7 * DAY, "2026-09-11 18:00"),
        (
            "every Friday 18:00 UTC, except 11 September",
            "2026-09-04 18:00",
            DAY,
            "2026-09-18 18:00",
        ),
        # A phase with a length of its own ends on any day, so this calendar leaves out none.
        ("every Friday 18:00 UTC, in homes 1 day", "2026-09-04 18:00", DAY, "2026-09-05 18:00"),
    ],
)
def test_a_deadline_moved_to_no_day_of_the_calendar_waits_for_the_next_one(
    text: str, due: str, later: timedelta, expected: str
) -> None:
    assert landed(read_schedule(text), at(due), later) == at(expected)


def test_a_deadline_moved_to_a_closed_day_waits_for_the_next_one() -> None:
    span = Schedule(Span(72 * HOUR), frozenset({6}))
    saturday = at("2026-09-05 15:00")
    assert landed(span, saturday, DAY) == saturday + 2 * DAY
    assert landed(span, saturday, 10 * HOUR) == at("2026-09-07 01:00")


def test_a_resumed_deadline_is_the_next_scheduled_moment_with_the_time_left() -> None:
    friday = at("2026-09-19 01:00")
    for weeks in (0, 2, 8):
        moment = friday + timedelta(weeks=weeks)
        assert resumed_deadline(SECOND_FRIDAYS, friday, moment) == moment
        assert resumed_deadline(SECOND_FRIDAYS, friday, moment + HOUR) == moment + 14 * DAY
    span = Schedule(Span(72 * HOUR, time(12)), frozenset({5, 6}))
    assert resumed_deadline(span, friday, at("2026-09-19 15:00")) == at("2026-09-21 12:00")
    assert resumed_deadline(span, friday, at("2026-09-22 15:00")) == at("2026-09-22 15:00")


MINUTES = st.integers(0, 3000).map(lambda minutes: timedelta(minutes=minutes))


@given(wait=MINUTES, left=MINUTES, grace=MINUTES)
def test_a_turn_ends_early_after_the_wait_and_never_after_its_deadline(
    wait: timedelta, left: timedelta, grace: timedelta
) -> None:
    now = datetime(2026, 9, 1, 12, tzinfo=UTC)
    due = now + left
    early = early_end(now, wait, due, due + grace)
    assert now <= early <= due
    assert early == now + wait or early == due


@given(wait=MINUTES, since=MINUTES, grace=MINUTES)
def test_in_its_grace_a_turn_ends_early_by_the_end_of_it(
    wait: timedelta, since: timedelta, grace: timedelta
) -> None:
    due = datetime(2026, 9, 1, 12, tzinfo=UTC)
    now = due + since
    early = early_end(now, wait, due, due + grace)
    assert early == min(now + wait, due + (grace if since else timedelta(0)))
    assert early <= due + grace


@given(schedules, moments, st.integers(1, 7 * 24 * 60).map(lambda n: timedelta(minutes=n)))
def test_a_grace_ends_no_earlier_than_it_says_and_on_no_excluded_day(
    schedule: Schedule, due: datetime, grace: timedelta
) -> None:
    closes = closing(schedule, due, grace)
    named = replace(schedule, rule=Span(grace, zone=schedule.zone))
    assert named.is_open(closes.astimezone(ZoneInfo(schedule.zone)).date())
    # A whole day is an hour shorter when summer time begins.
    assert closes - due >= grace - timedelta(hours=1)


def test_a_grace_of_days_keeps_the_hour_and_none_keeps_a_deadline_on_any_day() -> None:
    sundays_off = Schedule(Span(3 * DAY, zone="Europe/Berlin"), closed=frozenset({6}))
    friday = at("2026-10-23 18:00", "Europe/Berlin")
    assert closing(sundays_off, friday, 3 * DAY) == at("2026-10-26 18:00", "Europe/Berlin")
    assert closing(sundays_off, friday, timedelta(hours=31)) == at(
        "2026-10-26 01:00", "Europe/Berlin"
    )
    fridays = read_schedule("every Friday 18:00 Europe/Berlin, not on Sunday")
    assert closing(fridays, friday, DAY) == at("2026-10-24 18:00", "Europe/Berlin")
    assert closing(fridays, friday, 2 * DAY) == at("2026-10-26 18:00", "Europe/Berlin")
    sunday = friday + 2 * DAY
    assert closing(sundays_off, sunday, timedelta(0)) == sunday
