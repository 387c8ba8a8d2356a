"""Reliability: what counts as on time, late and missed, and the result over many turns."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from referee.domain.reliability import (
    Punctuality,
    Reliability,
    punctuality,
    reliability,
    together,
)

DEADLINE = datetime(2026, 9, 18, 18, tzinfo=UTC)
BEFORE, AFTER = DEADLINE - timedelta(hours=1), DEADLINE + timedelta(seconds=1)
COUNTS = st.integers(0, 1000)
SOMEBODY = st.builds(Reliability, COUNTS, COUNTS, COUNTS)


def test_orders_by_the_deadline_are_on_time_whatever_comes_later() -> None:
    assert punctuality((DEADLINE,), DEADLINE, Punctuality.MISSED) is Punctuality.ON_TIME
    assert punctuality((AFTER, BEFORE), DEADLINE, Punctuality.MISSED) is Punctuality.ON_TIME
    assert punctuality((AFTER,), None, Punctuality.MISSED) is Punctuality.ON_TIME


def test_orders_in_the_grace_are_late() -> None:
    assert punctuality((AFTER,), DEADLINE, Punctuality.MISSED) is Punctuality.LATE


def test_excused_turns_and_those_of_an_unaware_player_do_not_count() -> None:
    assert punctuality((), DEADLINE, Punctuality.UNAWARE) is Punctuality.UNAWARE
    assert reliability({Punctuality.EXCUSED: 9, Punctuality.UNAWARE: 3}) == Reliability()
    assert reliability({Punctuality.ON_TIME: 2, Punctuality.MISSED: 1}) == Reliability(2, 0, 1)


def test_it_is_described_in_words() -> None:
    assert Reliability().in_words() == "no turns played yet"
    assert Reliability(1).in_words() == "100% reliable: 1 turn on time, none late, none missed"
    assert Reliability(0, 2, 1).in_words() == "33% reliable: no turns on time, 2 late, 1 missed"


@given(SOMEBODY)
def test_only_a_player_who_never_failed_has_a_hundred(player: Reliability) -> None:
    flawless = player.turns > 0 and player.late == player.missed == 0
    assert (player.percent == 100) == flawless
    assert player.percent is None or 0 <= player.percent <= 100


@given(SOMEBODY)
def test_another_missed_turn_never_raises_reliability(player: Reliability) -> None:
    after = (player + Reliability(missed=1)).percent
    assert after is not None
    assert player.percent is None or after <= player.percent


@given(st.lists(SOMEBODY))
def test_several_are_counted_turn_by_turn(players: list[Reliability]) -> None:
    assert together(players).turns == sum(player.turns for player in players)
