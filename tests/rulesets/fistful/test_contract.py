"""Tests of the ruleset contract, and of fog."""

from dataclasses import replace

import pytest

from referee.rules.ruleset import Seat
from referee.rulesets.fistful import RULESET
from referee.rulesets.fistful.orders import Ships
from referee.rulesets.fistful.state import Fleet, State
from referee.testing.contract import check, visible_to
from tests.rulesets.fistful.played import SEATS, TURNS, game


@pytest.mark.sampled
@pytest.mark.parametrize("turn", range(0, TURNS, 5))
def test_the_contract_holds_in_every_turn_of_a_game(turn: int) -> None:
    check(RULESET, [game()[turn]])


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("turn", range(3, TURNS, 6))
def test_fog_hides_the_strength_of_the_enemy(turn: int, seat: Seat) -> None:
    position = game()[turn]
    orders = position.sheets.get(seat, ())
    changed = otherwise(position.state, seat)
    assert changed != position.state
    assert visible_to(RULESET, changed, seat, orders) == visible_to(
        RULESET, position.state, seat, orders
    )


def otherwise(state: State, seat: Seat) -> State:
    """Return the state with other enemy ships and other sizes of enemy colonies."""
    state, enemy = state.copy(), state.other(seat)
    places = sorted({fleet.star for fleet in state.fleets_of(enemy)})
    state.fleets = state.fleets_of(seat)
    state.fleets += [
        Fleet("ZYXWVUTSRQPONMLKJIHGFEDCBA"[at], enemy, star, Ships(dreadnoughts=7 + at))
        for at, star in enumerate(places)
    ]
    state.players[enemy].seen = {}
    for number, star in state.stars.items():
        if star.owner == enemy:
            state.stars[number] = replace(star, size=star.capacity, fortified=not star.fortified)
    return state
