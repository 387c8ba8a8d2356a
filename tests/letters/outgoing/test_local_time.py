"""Moments in words."""

from datetime import UTC, datetime

from referee.letters.outgoing.local_time import Moment

EVENING = datetime(2026, 9, 19, 1, 0, tzinfo=UTC)


def test_a_moment_is_told_in_the_players_zone_and_in_utc() -> None:
    told = str(Moment(EVENING, "America/Phoenix"))
    assert told == "Friday 18 September 2026, 18:00 MST (Saturday 01:00 UTC)"


def test_the_day_is_told_once_where_it_is_the_same() -> None:
    told = str(Moment(EVENING, "Europe/Berlin"))
    assert told == "Saturday 19 September 2026, 03:00 CEST (01:00 UTC)"


def test_utc_is_told_once() -> None:
    assert str(Moment(EVENING, "UTC")) == "Saturday 19 September 2026, 01:00 UTC"
