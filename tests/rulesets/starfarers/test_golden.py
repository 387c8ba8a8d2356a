"""Golden games of Starfarers: games between robots in all modes, replayed without a change.

Each file ``turn-NN.txt`` has the reports before the orders of that turn, then the orders. ``make
golden`` makes the robots play again, and the diff of the reports shows what has changed.
"""

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
    "serial": "BEAGLE held a colony system in every galaxy.",
    "phased": "BEAGLE held a colony system in every galaxy.",
}
HEADINGS = {"News", "Travel", "Battles", "Encounters", "Trade", "Building", "Ships", "Bases"}


@cache
def replayed(game: str) -> tuple[Played, ...]:
    """Return the parts of a game, resolved again from its kept order sheets."""
    return golden_games.replayed(RULESET, GAMES[game])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_replayed_game_equals_the_kept_files(game: str) -> None:
    assert golden.files(replayed(game)) == golden.kept(GAMES[game].place)


@pytest.mark.parametrize("game", GAMES)
def test_the_game_is_played_to_its_verdict(game: str) -> None:
    assert replayed(game)[-1].standing.startswith(ENDINGS[game])


@pytest.mark.parametrize("game", GAMES)
def test_few_orders_except_offers_fail(game: str) -> None:
    failed = [order for turn in replayed(game) for order in turn.failed if order[0] != "X"]
    assert len(failed) < sum(len(turn.done) for turn in replayed(game)) / 10


def test_every_heading_of_a_report_occurs() -> None:
    reports = (report for game in GAMES for turn in replayed(game)
               for report in turn.reports.values())  # fmt: skip
    lines = {line for report in reports for line in report.splitlines()}
    assert lines >= HEADINGS


def test_no_line_is_too_wide_for_an_email() -> None:
    wide = [line for game in GAMES for turn in replayed(game)
            for report in turn.reports.values() for line in report.splitlines()
            if len(line) > 78]  # fmt: skip
    assert wide == []


@pytest.mark.parametrize("game", GAMES)
def test_the_robots_still_write_the_same_first_sheets(game: str) -> None:
    live = golden_games.replayed_anew(RULESET, GAMES[game], 6)
    assert [turn.sheets for turn in live[:6]] == [turn.sheets for turn in replayed(game)[:6]]
