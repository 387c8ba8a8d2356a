"""Schedules as values: the days on which a turn can be due, and the schedule in words."""

from dataclasses import replace
from datetime import date, time, timedelta

import pytest

from referee.domain.schedules import (
    Calendar,
    PhaseSpan,
    Recess,
    Schedule,
    Span,
    YearDay,
    describe,
    in_words,
    of_turns,
)

FRIDAYS = Calendar(frozenset({4}), 2, time(18), "America/Phoenix")
WEEKDAYS = Calendar(frozenset(range(5)), 1, time(20), "Europe/Berlin")
CHRISTMAS = Recess(YearDay(12, 24), YearDay(1, 2))
EASTER = Recess(date(2026, 4, 3), date(2026, 4, 6))


@pytest.mark.parametrize(
    ("schedule", "text"),
    [
        (Schedule(FRIDAYS), "every second Friday 18:00 America/Phoenix"),
        (Schedule(WEEKDAYS), "weekdays 20:00 Europe/Berlin"),
        (Schedule(Calendar(frozenset(range(7)), 1, time(20), "UTC")), "daily 20:00 UTC"),
        (
            Schedule(Calendar(frozenset({1, 4}), 1, time(9, 30), "UTC")),
            "every Tuesday and Friday 09:30 UTC",
        ),
        (Schedule(Span(timedelta(seconds=3))), "3 seconds"),
        (Schedule(Span(timedelta(days=14))), "14 days"),
        (
            Schedule(Span(timedelta(hours=1), time(12), "UTC"), frozenset({5, 6})),
            "1 hour, not before 12:00 UTC, not on Saturday and Sunday",
        ),
        (
            Schedule(
                replace(WEEKDAYS, zone="UTC"),
                recesses=(CHRISTMAS, EASTER),
                apart=timedelta(hours=36),
                phases=(PhaseSpan("retreats", timedelta(days=1)),),
            ),
            (
                "weekdays 20:00 UTC, except 24 December to 2 January and 2026-04-03 to 2026-04-06, "
                "at least 36 hours apart, in retreats 1 day"
            ),
        ),
    ],
)
def test_a_schedule_is_described_as_a_gm_writes_it(schedule: Schedule, text: str) -> None:
    assert describe(schedule) == text


@pytest.mark.parametrize(
    ("recess", "day", "covered"),
    [
        (CHRISTMAS, date(2026, 12, 23), False),
        (CHRISTMAS, date(2026, 12, 24), True),
        (CHRISTMAS, date(2027, 1, 2), True),
        (CHRISTMAS, date(2027, 1, 3), False),
        (EASTER, date(2026, 4, 3), True),
        (EASTER, date(2026, 4, 7), False),
        (EASTER, date(2027, 4, 4), False),
        (Recess(YearDay(2, 29), YearDay(2, 29)), date(2028, 2, 29), True),
        (Recess(YearDay(2, 29), YearDay(2, 29)), date(2027, 3, 1), False),
    ],
)
def test_a_recess_includes_both_ends(recess: Recess, day: date, *, covered: bool) -> None:
    assert recess.covers(day) is covered


@pytest.mark.parametrize(
    ("schedule", "possible"),
    [
        (Schedule(WEEKDAYS, frozenset(range(5))), False),
        (Schedule(WEEKDAYS, frozenset(range(4))), True),
        (Schedule(Span(timedelta(1)), frozenset(range(7))), False),
        (Schedule(FRIDAYS, recesses=(Recess(YearDay(1, 1), YearDay(12, 31)),)), False),
        (Schedule(FRIDAYS, recesses=(Recess(YearDay(1, 1), YearDay(12, 20)),)), False),
        (Schedule(FRIDAYS, recesses=(CHRISTMAS, EASTER)), True),
    ],
)
def test_a_schedule_must_leave_a_day_in_every_year(schedule: Schedule, *, possible: bool) -> None:
    assert schedule.is_possible() is possible


def test_a_length_is_described_in_its_largest_whole_unit() -> None:
    lengths = (timedelta(days=1), timedelta(hours=36), timedelta(minutes=90), timedelta(0))
    assert [in_words(length) for length in lengths] == [
        "1 day", "36 hours", "90 minutes", "0 seconds",
    ]  # fmt: skip


def test_a_span_is_said_as_a_rhythm_of_turns() -> None:
    assert of_turns(Schedule(Span(timedelta(days=5)))) == "a turn every 5 days"
    assert of_turns(Schedule(Span(timedelta(days=1)))) == "a turn every day"
    assert of_turns(Schedule(WEEKDAYS)) == "weekdays 20:00 Europe/Berlin"
