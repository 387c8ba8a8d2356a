"""Rock Paper Scissors keeps the contract, and a game by email goes as written."""

from contextlib import closing
from pathlib import Path

import pytest
from rock_paper_scissors import RULESET, Throw
from rock_paper_scissors.cast import CAST

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.testing.contract import Position, check, seat_bound, unshown
from referee.testing.conversation import Conversation
from referee.testing.mail_contract import check_by_mail

ALMA, BRUNO = Seat(1), Seat(2)
DICE = Dice(b"none is thrown")
START = RULESET.setup([SignUp(ALMA, "ALMA"), SignUp(BRUNO, "BRUNO")], {"wins": 1}, DICE)


def test_the_contract_is_kept() -> None:
    sheets = {ALMA: (Throw("ROCK"), Throw("PAPER")), BRUNO: (Throw("ROCK"),)}
    after = RULESET.resolve(START, sheets, frozenset(), DICE).state
    check(RULESET, [Position(START, sheets), Position(START, {}), Position(after, {})])


def test_every_form_of_order_is_carried_out_in_a_case() -> None:
    assert unshown(RULESET, Path(__file__).parent / "scenarios") == []


def test_no_case_depends_on_the_sequence_of_the_seats() -> None:
    assert seat_bound(RULESET, Path(__file__).parent / "scenarios") == []


def test_the_robots_play_by_mail_to_the_end() -> None:
    check_by_mail(RULESET, CAST)


def test_a_hand_that_is_shown_beats_none() -> None:
    resolved = RULESET.resolve(START, {ALMA: (), BRUNO: (Throw("ROCK"),)}, frozenset(), DICE)
    verdict = RULESET.verdict(resolved.state)
    assert verdict is not None
    assert verdict.winners == {BRUNO}


@pytest.mark.parametrize("name", ["conversation", "play"])
def test_a_game_by_mail_goes_as_written(name: str) -> None:
    text = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    with closing(Conversation({"rps": RULESET})) as conversation:
        conversation.run(text)
