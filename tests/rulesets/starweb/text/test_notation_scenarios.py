"""Scenario files of StarWeb: the keys of a case, and errors in wrong ones."""

from pathlib import Path

import pytest

from referee.rulesets.starweb import RULESET
from referee.testing.scenarios import run_cases

CASE = """
[[case]]
name = "a move"
cite = "s11"
players = { A = "empire-builder", B = "merchant" }
given = '''
W1 (2) [A] (Population=20,Mines=2,P-Ships=1)
   F1[A]=5
   F2[B]=1
W2 [] (Metal=3)
'''
orders.A = "F1W2"
"""

THEN = """
then = '''
W1 [A] (Mines=2,Metal=2)
   F2[B]=1
   (F1[A]-->W2)
W2 () [] (Metal=3)
   F1[A]=5 (Moved,Cargo=0)
'''
"""


def differences(tmp_path: Path, text: str) -> tuple[str, ...]:
    file = tmp_path / "cases.toml"
    file.write_text(text, encoding="utf-8")
    (result,) = run_cases([file], {"starweb": RULESET})
    return result.differences


def test_a_case_that_holds_has_no_differences(tmp_path: Path) -> None:
    assert differences(tmp_path, CASE + THEN.replace("W2 ()", "W2 (1)")) == ()


def test_differences_are_reported_line_by_line(tmp_path: Path) -> None:
    then = """
scores.B = 7
then = '''
W1 (2,3) [B] (Metal=0,I-Ships=0(Ambush))
   F2[]=4 (Moved) V8
   F1[A]=4
   (F2[B]-->W2)
W9 []
F9[]
'''
"""
    assert differences(tmp_path, CASE + then) == (
        "W1: departures is F1[A]-->W2, without F2[B]-->W2",
        "W1: gates is 2, expected 2 3",
        "W1: what the I-Ships did is none, expected Ambush",
        "W1: metal is 2, expected 0",
        "W1: owner is A, expected B",
        "F2: artifacts is none, without 8",
        "F2: what it did is none, without Moved",
        "F2: owner is B, expected none",
        "F2: ships is 1, expected 4",
        "F1: is at W2, expected at W1",
        "F1: ships is 5, expected 4",
        "W9: is missing",
        "F9: is missing",
        "B: +0 points, expected +7",
    )


@pytest.mark.parametrize(
    ("good", "bad", "fault"),
    [
        (
            'cite = "s11"',
            'sight = "s11"',
            '"sight" is not a key of a case; the keys are cite, dice, forecast',
        ),
        (
            '"merchant"',
            '"wizard"',
            "players: B cannot be 'wizard'. Possible: apostle, artifact-collector,",
        ),
        ("B = ", '"B 2" = ', "players: 'B 2' is not a name. Use only letters"),
        ("B = ", "a = ", "players: a is named twice"),
        ("players = {", "scores = {", "players: expected at least one player"),
        ("Mines=2", "Mnes=2", 'given: line 1, column 27: unknown field "Mnes=2"'),
        ("[B]=1", "[C]=1", "given: line 3, column 4: there is no player C in this game"),
        ("W2 []", "W1 []", "given: W1 is named twice"),
        ("F1W2", "F1W2 F1W", "orders.A: line 1, column "),
        ("orders.A", "orders.C", "orders: 'C' is not one of the players"),
        ("orders.A = ", "orders = ", "orders: should be a table"),
        ('"F1W2"', "12", "orders.A: should be text"),
        ('cite = "s11"', 'missed = ["A"]', "missed: A has orders in this case"),
        ('cite = "s11"', 'missed = ["C"]', "missed: 'C' is not one of the players"),
        ('cite = "s11"', 'missed = "A"', "missed: expected a list of players"),
        ('cite = "s11"', "turns = 0", "turns: expected a number from 1 to 1000"),
        ('cite = "s11"', 'turns = "two"', "turns: should be a whole number"),
        ('cite = "s11"', "scores.C = 1", "scores: 'C' is not one of the players"),
        ('cite = "s11"', "scores.A = true", "scores.A: should be a whole number"),
        ('cite = "s11"', "dice.growth = 1", 'dice: "growth" should be a list of whole numbers'),
        (
            'cite = "s11"',
            "options.colour = 1",
            "options: colour = 1 cannot be set. Possible: ending, turn",
        ),
        ('cite = "s11"', 'unparsed = "F0W1"', "unparsed: should be a list of texts"),
        ('cite = "s11"', "then = 3", "then: should be text"),
        ('cite = "s11"', "then = 'W1 (('", "then: line 1, column 5: "),
    ],
)
def test_an_error_in_a_case_names_its_place(
    tmp_path: Path, good: str, bad: str, fault: str
) -> None:
    assert good in CASE
    (message,) = differences(tmp_path, CASE.replace(good, bad, 1))
    assert message[: len(fault)] == fault


GROWTH = """
[[case]]
name = "growth"
players = { A = "empire-builder" }
given = "W1 () [A] (Population=15,Limit=99)"
turns = 2
"""


def test_dice_can_be_scripted_for_the_first_turn_and_for_later_ones(tmp_path: Path) -> None:
    slow = 'dice = { "growth|1" = [9], "turn 2|growth|1" = [9] }\nthen = "W1 (Population=17)"'
    fast = 'dice = { "growth|1" = [0], "turn 2|growth|1" = [0] }\nthen = "W1 (Population=19)"'
    assert differences(tmp_path, GROWTH + slow) == ()
    assert differences(tmp_path, GROWTH + fast) == ()


def test_dice_that_do_not_fit_are_a_failure(tmp_path: Path) -> None:
    found = differences(tmp_path, GROWTH + 'dice = { "growth|1" = [10] }')
    assert found == ("the script draws 10 of 0 to 9 at turn 1|growth|1",)


def test_a_population_is_what_it_is_written_with(tmp_path: Path) -> None:
    found = differences(tmp_path, GROWTH.replace("15", "15R") + 'then = "W1 (Population=15)"')
    assert found == ("W1: robots is yes, expected no",)


def test_an_inactive_player_gets_default_orders(tmp_path: Path) -> None:
    text = CASE.replace("[B]=1", "[B]=4").replace("F1W2", "F1AF2") + 'missed = ["B"]\n'
    assert differences(tmp_path, text + "then = 'W1 F1[A]=3 F2[B]=2 (CF1)'") == ()


def test_options_set_what_the_state_has_of_them(tmp_path: Path) -> None:
    text = CASE.replace('cite = "s11"', "options = { turn = 7, ending = 1000 }")
    assert differences(tmp_path, text + THEN.replace("W2 ()", "W2 (1)")) == ()


def test_an_order_under_unparsed_is_reported(tmp_path: Path) -> None:
    text = CASE.replace('cite = "s11"', 'unparsed = ["F005W2", "F5W2", "Z"]')
    assert differences(tmp_path, text) == (
        "F5W2: is read as an order, expected none",
        "Z: is read as an order, expected none",
    )
