"""Whole games between robots, in all modes, two of them to the verdict: they come out as ever.

Each file ``turn-NN.txt`` has the reports before the orders of that turn, then the orders. ``make
golden`` lets the robots play anew; what has changed then shows in the reports.
"""

import re
from functools import cache

import pytest

from referee.rulesets.starfarers import RULESET
from referee.testing import golden, golden_games
from referee.testing.golden import Played
from referee.testing.robots.starfarers import CAST

GAMES = CAST.golden
ENDINGS = {
    "peace": "ARGO held a colony system in every galaxy.",
    "conquest": "CALYPSO conquered the universe.",
}
FORMS = {
    *("SnEn", "SnHn", "SnHnHn", "SnJMn", "SnAHn", "SnAMn", "SnABn", "SnKc", "SnTc>c", "BnTc>c"),
    *("Xn:c>c", "HnBC", "HnBT", "HnBCa", "BnR", "MnBS", "EnB", "EnC", "EnR", "PnH", "PnL"),
}
HEADINGS = {"News", "Travel", "Battles", "Encounters", "Trade", "Building", "Ships", "Bases"}


@cache
def replayed(game: str) -> tuple[Played, ...]:
    """Give the parts of a game as its kept order sheets make them."""
    return golden_games.replayed(RULESET, GAMES[game])


@pytest.mark.parametrize("game", GAMES)
def test_the_game_comes_out_as_it_was(game: str) -> None:
    assert golden.files(replayed(game)) == golden.kept(GAMES[game].place)


@pytest.mark.parametrize("game", ENDINGS)
def test_the_game_is_played_to_its_verdict(game: str) -> None:
    assert replayed(game)[-1].standing.startswith(ENDINGS[game])


def test_most_forms_of_orders_are_carried_out() -> None:
    done = {_form(order) for game in GAMES for turn in replayed(game) for order in turn.done}
    assert FORMS - done == set()


def _form(order: str) -> str:
    cards = order if order[0] == "E" else re.sub(r"(\d+[FCGOU])+", "c", order)
    return re.sub(r"\d+", "n", cards)


@pytest.mark.parametrize("game", GAMES)
def test_few_orders_but_offers_come_to_nothing(game: str) -> None:
    failed = [order for turn in replayed(game) for order in turn.failed if order[0] != "X"]
    assert len(failed) < sum(len(turn.done) for turn in replayed(game)) / 10


def test_everything_that_is_reported_happens() -> None:
    reports = (report for game in GAMES for turn in replayed(game)
               for report in turn.reports.values())  # fmt: skip
    lines = {line for report in reports for line in report.splitlines()}
    assert lines >= HEADINGS


def test_no_line_is_wider_than_a_letter() -> None:
    wide = [line for game in GAMES for turn in replayed(game)
            for report in turn.reports.values() for line in report.splitlines()
            if len(line) > 78]  # fmt: skip
    assert wide == []


@pytest.mark.parametrize("game", GAMES)
def test_the_robots_still_begin_like_that(game: str) -> None:
    live = golden_games.replayed_anew(RULESET, GAMES[game], 6)
    assert [turn.sheets for turn in live[:6]] == [turn.sheets for turn in replayed(game)[:6]]
