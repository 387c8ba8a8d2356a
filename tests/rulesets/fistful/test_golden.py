"""Golden games of two players, in fog and without, from start to verdict.

``make golden`` plays the games again from the sheets in their files, and writes the files.
"""

from functools import cache

import pytest

from referee.rulesets.fistful import RULESET
from referee.testing import golden_games
from referee.testing.casts.fistful import CAST
from referee.testing.golden import Played
from tests.support.examples import mostly_slow

GAMES = CAST.golden
HEADINGS = {"Battles", "Colonies", "Your colonies", "Your fleets", "Map", "Stars"}


@cache
def replayed(game: str) -> tuple[Played, ...]:
    """Return the turns of a game, replayed from its order sheets."""
    return tuple(golden_games.replayed(RULESET, GAMES[game]))


@pytest.mark.slow
@pytest.mark.parametrize("game", mostly_slow(GAMES))
def test_the_game_is_reproducible(game: str) -> None:
    assert golden_games.differences(GAMES[game], replayed(game)) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", mostly_slow(GAMES))
def test_the_game_ends_with_the_capture_of_a_homeworld(game: str) -> None:
    assert "lost the homeworld" in replayed(game)[-1].standing


@pytest.mark.parametrize("game", mostly_slow(GAMES))
def test_no_orders_fail(game: str) -> None:
    assert [order for turn in replayed(game) for order in turn.failed] == []


@pytest.mark.parametrize("game", mostly_slow(GAMES))
def test_all_headings_occur(game: str) -> None:
    lines = {
        line
        for turn in replayed(game)
        for report in turn.reports.values()
        for line in report.splitlines()
    }
    assert lines >= HEADINGS
    assert ("Recon" in lines) == (game == "fog")
    assert max(map(len, lines)) <= 78
