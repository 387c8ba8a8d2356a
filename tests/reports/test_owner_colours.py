"""The colours of owners on maps: whoever is met later, they stay the same for the whole game."""

import pytest

from referee.reports.symbols import Livery, liveries
from tests.support import golden_states


@pytest.mark.parametrize("key", golden_states.KEYS)
def test_an_owner_keeps_colour_and_letter_for_the_whole_game(key: str) -> None:
    rules = golden_states.ruleset(key)
    for name, game in golden_states.games(key).items():
        for each in game.beginning.seats:
            former: dict[str, Livery] = {}
            for state in golden_states.states(key, name):
                now = liveries(rules.chart(state, each.seat))
                assert former == {owner: now[owner] for owner in former}
                former |= now
