"""Moments in words."""

from datetime import UTC, datetime, timedelta

from referee.letters.outgoing.local_time import Moment

EVENING = datetime(2026, 9, 19, 1, 0, tzinfo=UTC)


def test_a_moment_is_in_the_players_zone_and_in_utc() -> None:
    words = str(Moment(EVENING, "America/Phoenix"))
    assert words == "Fri 18 Sep 2026, 18:00 MST (Sat 01:00 UTC)"


def test_the_day_is_given_once_if_it_is_the_same() -> None:
    words = str(Moment(EVENING, "Europe/Berlin"))
    assert words == "Sat 19 Sep 2026, 03:00 CEST (01:00 UTC)"


def test_a_moment_in_utc_is_given_once() -> None:
    assert str(Moment(EVENING, "UTC")) == "Sat 19 Sep 2026, 01:00 UTC"


def test_a_subject_has_the_short_form() -> None:
    moment = Moment(EVENING, "America/Phoenix")
    assert moment.short == moment.short_from(EVENING) == "Fri 18 Sep 18:00 MST"
    assert moment.short_from(EVENING - timedelta(days=365)) == "Fri 18 Sep 2026 18:00 MST"
