"""Golden games of Starfarers: games in all modes, replayed without a change.

``make golden`` plays the games again from the sheets in their files, and writes the files.
"""

from functools import cache

import pytest

from referee.rulesets.starfarers import RULESET
from referee.testing import golden_games
from referee.testing.casts.starfarers import CAST
from referee.testing.golden import Played

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
    return tuple(golden_games.replayed(RULESET, GAMES[game]))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_replayed_game_equals_the_kept_file(game: str) -> None:
    assert golden_games.differences(GAMES[game], replayed(game)) == []


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
