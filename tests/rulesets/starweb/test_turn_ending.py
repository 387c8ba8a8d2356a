"""The end of a game: votes, bonuses and verdict (s30)."""

import pytest

from referee.rules.news import heard
from referee.rules.ruleset import Verdict
from referee.rules.views import Table
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.scoring import verdict
from referee.rulesets.starweb.state import State
from tests.rulesets.starweb.galaxies import CERES, MARS, TEJAT, galaxy, resolved


def voted(score: int, *votes: int | None) -> State:
    state = galaxy("W1 () [CERES] (Population=10)")
    state.players[CERES].score = score - 1
    for player, vote in zip(state.players.values(), votes, strict=True):
        player.ending = vote
    return resolved(state).state


@pytest.mark.parametrize(
    ("score", "votes", "over"),
    [
        (7000, (5000, 9000, None), True),
        (6999, (5000, 9000, None), False),
        (8000, (None, None, None), True),
        (7999, (None, None, None), False),
        (6667, (5000, 5001, 10000), True),
        (6666, (5000, 5001, 10000), False),
    ],
)
def test_the_game_ends_at_the_average_of_the_votes(
    score: int,
    votes: tuple[int | None, ...],
    over: bool,
) -> None:
    assert voted(score, *votes).finished is over


def test_votes_of_the_first_turn_count() -> None:
    state = galaxy("W1 () [CERES] (Population=10)")
    after = resolved(state, ceres=[o.VoteEnding(1000)], mars=[o.VoteEnding(3000)]).state
    after.players[CERES].score = 1999
    assert resolved(after).state.finished is True


def test_the_highest_score_wins_after_the_bonuses() -> None:
    state = galaxy(
        """
        W1 () [CERES] (Population=10)
        W2 () [MARS] (Population=10)  V1 V2 V3 V4 V5
        """
    )
    state.players[CERES].score, state.players[MARS].score = 8000, 7500
    resolution = resolved(state)
    rows = (
        ("MARS", "Empire Builder", "8501"),
        ("CERES", "Empire Builder", "8001"),
        ("TEJAT", "Empire Builder", "0"),
    )
    table = Table(("Player", "Character", "Score"), rows)
    assert verdict(resolution.state) == Verdict(frozenset({MARS}), (table,))
    assert [event.text for event in heard(resolution.events, None)] == [
        "The game is over. The winner is MARS."
    ]


def test_players_with_the_same_score_win_together() -> None:
    state = galaxy("W1 () [CERES] (Population=10)\nW2 () [TEJAT] (Population=10)")
    state.players[CERES].score = state.players[TEJAT].score = 9000
    final = verdict(resolved(state).state)
    assert final is not None
    assert final.winners == {CERES, TEJAT}


def test_a_running_game_has_no_verdict() -> None:
    assert verdict(galaxy("W1 ()")) is None


def test_bonuses_are_added_once() -> None:
    state = galaxy("W1 () [CERES] (Population=10)  V1 V2 V3 V4 V5")
    state.players[CERES].score = 8000
    over = resolved(state).state
    assert (over.players[CERES].score, resolved(over).state.players[CERES].score) == (9001, 9002)
