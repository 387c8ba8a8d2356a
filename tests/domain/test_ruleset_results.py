"""The results of a ruleset's functions: seats that the game cannot have."""

from dataclasses import replace
from typing import Any

import pytest

from referee.domain.ruleset_results import WrongResult, checked_result
from referee.rules.ruleset import Event, Phase, Resolution, Seat, Verdict
from referee.rulesets.fistful import RULESET

PHASE = Phase("orders", "Orders", 1, frozenset({Seat(1), Seat(2)}))


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("phase", replace(PHASE, awaiting=frozenset({Seat(1), Seat(3)}))),
        ("verdict", Verdict(frozenset({Seat(3)}), ())),
    ],
)
def test_a_seat_that_no_game_has_is_a_fault(name: str, result: Any) -> None:
    said = f"{name} of the ruleset fistful returns seat 3, but the seats are numbered from 1 to at"
    with pytest.raises(WrongResult, match=said):
        checked_result(RULESET, name, result)


def test_the_audience_of_an_event_has_seats_of_the_game() -> None:
    state = RULESET.state_type.__new__(RULESET.state_type)
    events = (Event("News.", None), Event("News.", frozenset({Seat(0)})))
    with pytest.raises(WrongResult, match="returns seat 0"):
        checked_result(RULESET, "resolve", Resolution(state, {}, events))


def test_seats_of_the_game_and_no_verdict_are_right() -> None:
    assert checked_result(RULESET, "phase", PHASE) is PHASE
    assert checked_result(RULESET, "verdict", None) is None
