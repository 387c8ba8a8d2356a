"""Whole games between robots, in all modes, two of them to the verdict: they come out as ever.

Each file ``turn-NN.txt`` has the reports before the orders of that turn, then the orders. ``make
golden`` lets the robots play anew; what has changed then shows in the reports.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.starfarers import RULESET
from referee.testing import golden
from referee.testing.golden import Beginning, Played, Writer, play, stored_sheets
from referee.testing.robots.starfarers import CAST

GOLDEN = Path(__file__).parent / "golden"
SIGNUPS = tuple(
    SignUp(Seat(number), role.name, {"colour": tuple(re.findall("[a-z]+", role.wishes))})
    for number, role in enumerate(CAST.roles, 1)
)


@dataclass(frozen=True, slots=True)
class Game:
    """A game that is kept, and how many parts of rounds are played of it."""

    beginning: Beginning
    parts: int


GAMES = {
    "peace": Game(Beginning(SIGNUPS, {"game": "SF-1"}, b"g"), 60),
    "conquest": Game(Beginning(SIGNUPS, {"game": "SF-2"}, b"f"), 60),
    "serial": Game(
        Beginning(SIGNUPS[:2], {"game": "SF-3", "mode": "serial", "fog": "galaxy"}, b"s"), 24
    ),
    "phased": Game(
        Beginning(SIGNUPS, {"game": "SF-4", "mode": "phased", "seat_order": "fixed"}, b"p"), 24
    ),
}
ENDINGS = {
    "peace": "ARGO held a colony system in every galaxy.",
    "conquest": "CALYPSO conquered the universe.",
}
FORMS = {
    *("SnEn", "SnHn", "SnHnHn", "SnJMn", "SnAHn", "SnAMn", "SnABn", "SnKc", "SnTc>c", "BnTc>c"),
    *("Xn:c>c", "HnBC", "HnBT", "HnBCa", "BnR", "MnBS", "EnB", "EnC", "EnR", "PnH", "PnL"),
}
HEADINGS = {"News", "Travel", "Battles", "Encounters", "Trade", "Building", "Ships", "Bases"}


def by_robots() -> Writer:
    """Give a writer that lets the robots of the demonstration play."""
    robots = {role.name: role.robot() for role in CAST.roles}
    return lambda _turn, name, report: robots[name].sheet(report).lstrip()


@cache
def replayed(game: str) -> tuple[Played, ...]:
    """Give the parts of a game as its kept order sheets make them."""
    write = stored_sheets(GOLDEN / game)
    return tuple(play(RULESET, GAMES[game].beginning, write, GAMES[game].parts))


@pytest.mark.parametrize("game", GAMES)
def test_the_game_comes_out_as_it_was(game: str) -> None:
    assert golden.files(replayed(game)) == golden.kept(GOLDEN / game)


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
    live = tuple(play(RULESET, GAMES[game].beginning, by_robots(), 6))
    assert [turn.sheets for turn in live[:6]] == [turn.sheets for turn in replayed(game)[:6]]


def rewrite() -> None:
    """Let the robots play the games anew, and keep them; look at the difference afterwards."""
    played = {
        f"{name}/{path}": content
        for name, game in GAMES.items()
        for path, content in golden.files(
            play(RULESET, game.beginning, by_robots(), game.parts)
        ).items()
    }
    golden.keep(GOLDEN, played)


if __name__ == "__main__":
    rewrite()
