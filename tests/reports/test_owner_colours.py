"""The liveries of owners on maps: they stay the same for the whole game, whoever is met later."""

import pytest

from referee.reports.symbols import OTHERS, PALETTE, SHADES, Livery, colours_of, liveries
from referee.rules.extras import Colour, extras_of
from referee.rules.views import Table
from tests.support import golden_states


@pytest.mark.slow
@pytest.mark.sampled
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


@pytest.mark.parametrize("key", ["singularity", "starfarers"])
def test_a_map_has_the_colours_that_the_table_of_players_names(key: str) -> None:
    rules = golden_states.ruleset(key)
    given = extras_of(rules).colours
    assert given is not None
    for name, game in golden_states.games(key).items():
        names = {each.seat: each.name for each in game.beginning.seats}
        for state in golden_states.states(key, name):
            tables = (block for block in rules.view(state, min(names), "") if type(block) is Table)
            players = next((each for each in tables if each.title.startswith("Players")), None)
            if players is not None:
                told = {row[1].split(" ")[0]: Colour(row[2]) for row in players.rows}
                assert {names[seat]: colour for seat, colour in given(state).items()} == told


def test_a_seat_whose_game_gives_it_no_colour_gets_one_that_is_free() -> None:
    names = ("ABBOT", "BISHOP", "CANTOR")
    given = {"BISHOP": Colour.BLUE, "CANTOR": Colour.WHITE}
    assert colours_of(names, given) == (
        ("ABBOT", PALETTE[1]),
        ("BISHOP", PALETTE[0]),
        ("CANTOR", SHADES[Colour.WHITE]),
    )
