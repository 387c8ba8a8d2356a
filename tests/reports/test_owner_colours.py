"""The liveries of owners on maps: they stay the same for the whole game, whoever is met later."""

import pytest

from referee.reports.symbols import OTHERS, Livery, colours_of, liveries
from tests.support import golden_states


@pytest.mark.parametrize("key", golden_states.KEYS)
def test_an_owner_keeps_colour_and_letter_for_the_whole_game(key: str) -> None:
    rules = golden_states.ruleset(key)
    for name, game in golden_states.games(key).items():
        colours = colours_of(each.name for each in game.beginning.seats)
        for each in game.beginning.seats:
            former: dict[str, Livery] = {}
            for state in golden_states.states(key, name):
                now = liveries(rules.chart(state, each.seat), colours)
                assert OTHERS not in {livery.colour for livery in now.values()}
                assert former == {owner: now[owner] for owner in former}
                former |= now
