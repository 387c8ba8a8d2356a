"""The faults of a case of any game, which are reported with their key."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from referee.rules.ruleset import Seat, UserError
from referee.rules.scenarios import (
    entries,
    lines_of,
    missed,
    seat_of,
    wrong_winners,
)


@dataclass
class Player:
    name: str


@dataclass
class Table:
    players: dict[Seat, Player] = field(
        default_factory=lambda: {Seat(1): Player("ALMA"), Seat(2): Player("BRUNO")}
    )
    winners: frozenset[Seat] = frozenset({Seat(2)})


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: entries({"orders": "F1W2"}, "orders"), "orders: should be a table"),
        (lambda: seat_of(Table(), "Cora"), "Cora is none of the players."),
        (lambda: missed({"missed": ["A"]}, Table()), "missed: 'A' is not one of the players"),
    ],
)  # fmt: skip
def test_a_fault_of_a_case_is_reported(wrong: Callable[[], object], words: str) -> None:
    with pytest.raises(UserError) as error:
        wrong()
    assert str(error.value) == words


def test_winners_are_compared_if_the_case_has_them() -> None:
    assert list(wrong_winners({}, Table())) == []
    assert list(wrong_winners({"winners": ["BRUNO"]}, Table())) == []
    assert list(wrong_winners({"winners": []}, Table())) == ["winners: ['BRUNO'], expected []"]


def test_players_are_named_in_any_case() -> None:
    assert missed({"missed": ["bruno"]}, Table()) == {2: 0}


def test_missed_turns_are_counted_until_this_one() -> None:
    assert missed({"missed": {"BRUNO": 3}}, Table()) == {2: 3}


def test_comments_and_empty_lines_are_ignored() -> None:
    assert list(lines_of("W1  =  3 # a comment\n\n# another\nF2")) == ["W1 = 3", "F2"]
