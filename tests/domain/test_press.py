"""The delivery times of messages that do not wait for a report."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from referee.domain.press import QUARTER, RECALL, goes_out

MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - with timezones


@given(MOMENTS)
def test_a_message_can_be_recalled_for_ten_minutes(now: datetime) -> None:
    assert goes_out(now, anonymous=False) == now + RECALL
    assert RECALL <= goes_out(now, anonymous=True) - now < RECALL + QUARTER


@given(MOMENTS, st.timedeltas(timedelta(0), QUARTER))
def test_the_time_of_an_unsigned_message_reveals_only_a_quarter_of_an_hour(
    now: datetime, later: timedelta
) -> None:
    first, second = goes_out(now, anonymous=True), goes_out(now + later, anonymous=True)
    assert (first.minute % 15, first.second, first.microsecond) == (0, 0, 0)
    assert second in (first, first + QUARTER)
