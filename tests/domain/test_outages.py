"""Outages: which deadlines move, and where to."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.outages import Outage, OutageLimits, moved

NOON = datetime(2026, 9, 6, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
AWAY = Outage(NOON, NOON + 5 * HOUR)
CAP = OutageLimits().longest


@pytest.mark.parametrize(
    ("due", "grace", "new"),
    [
        (NOON - HOUR, 0 * HOUR, None),
        (NOON, 0 * HOUR, None),
        (NOON + HOUR, 0 * HOUR, NOON + 6 * HOUR),
        (NOON + 5 * HOUR, 0 * HOUR, NOON + 10 * HOUR),
        (NOON + 6 * HOUR, 0 * HOUR, None),
        # The deadline had passed, but the grace had not when the silence began.
        (NOON - HOUR, 2 * HOUR, NOON + 5 * HOUR),
        (NOON - HOUR, HOUR, None),
    ],
)
def test_a_deadline_inside_the_gap_moves_by_it(
    due: datetime, grace: timedelta, new: datetime | None
) -> None:
    assert moved(due, due + grace, AWAY, CAP) == new


@pytest.mark.parametrize(
    ("due", "least", "new"),
    [
        # The deadline is over in the outage, an hour after its end, or in good time after it.
        (NOON + HOUR, 12 * HOUR, NOON + 17 * HOUR),
        (NOON + 6 * HOUR, 12 * HOUR, NOON + 17 * HOUR),
        (NOON + 17 * HOUR, 12 * HOUR, None),
        (NOON + 18 * HOUR, 12 * HOUR, None),
        # Nothing was lost after the end of the turn.
        (NOON - HOUR, 12 * HOUR, None),
        # More was left than the least.
        (NOON + 4 * HOUR, 2 * HOUR, NOON + 9 * HOUR),
    ],
)
def test_letters_on_their_way_have_time_after_an_outage(
    due: datetime, least: timedelta, new: datetime | None
) -> None:
    assert moved(due, due, AWAY, CAP, least) == new


def test_a_long_outage_gives_back_at_most_the_cap() -> None:
    away = Outage(NOON, NOON + timedelta(days=30))
    late, soon = NOON + timedelta(days=9), NOON + timedelta(days=2)
    assert moved(late, late, away, CAP) == away.until + CAP
    assert moved(soon, soon, away, CAP) == away.until + timedelta(days=2)


spans = st.timedeltas(timedelta(0), timedelta(days=60))


@given(st.timedeltas(timedelta(days=-60), timedelta(days=60)), spans, spans, spans)
def test_a_moved_deadline_is_in_the_future_and_never_earlier(
    ahead: timedelta, grace: timedelta, gap: timedelta, least: timedelta
) -> None:
    away = Outage(NOON, NOON + gap)
    due = NOON + ahead
    new = moved(due, due + grace, away, CAP, least)
    if new is not None:
        assert due < new
        assert away.until + least <= new <= max(due + gap, away.until + least)
    else:
        assert due + grace <= away.since or due >= away.until + least
