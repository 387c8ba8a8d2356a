"""A report is enough to play: two players who get nothing else play whole games."""

import pytest

from referee.rulesets.fistful import RULESET
from referee.testing.casts.fistful import CAST
from referee.testing.golden import Asked, play
from tests.rulesets.fistful.by_reports import Guardian, Raider
from tests.support.examples import mostly_slow


@pytest.mark.slow
@pytest.mark.parametrize("game", mostly_slow(CAST.golden))
def test_players_who_only_read_reports_capture_a_homeworld(game: str) -> None:
    players = {"ALMA": Raider(), "BRUNO": Guardian()}

    def sheet(asked: Asked) -> str:
        return players[asked.name].sheet(asked.report)

    *turns, last = play(RULESET, CAST.golden[game].beginning, sheet, turns=40)
    assert [order for turn in turns for order in turn.failed] == []
    assert {name for turn in turns for name in turn.missed} == set()
    assert "lost the homeworld" in last.standing
