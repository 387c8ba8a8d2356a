"""What each player of Starfarers begins with."""

import pytest

from referee.rules.dice import Dice
from referee.rules.ruleset import SignUp
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.state import Kind, State
from tests.rulesets.starfarers.played import NAMES, SEATS


def begun(**options: int | str | bool) -> State:
    signups = [SignUp(seat, name) for seat, name in zip(SEATS, NAMES, strict=True)]
    return RULESET.setup(signups, {key.replace("__", "."): options[key] for key in options}, DICE)


DICE = Dice(b"a new game")


def test_everybody_has_a_mothership_and_a_starship_on_it() -> None:
    """Rule 4."""
    state = begun()
    for seat in SEATS:
        assert state.mothership(seat).kind is Kind.MOTHERSHIP
        assert [ship.hex for ship in state.fleet(seat)] == [state.mothership(seat).number]
        player = state.players[seat]
        assert (player.boosters, player.cannons, player.rings) == (0, 0, 0)


def test_everybody_has_one_card_of_each_resource() -> None:
    """Rule 5."""
    assert [player.hand for player in begun().players.values()] == [Goods(1, 1, 1, 1, 1)] * 3


@pytest.mark.parametrize("number", [1, 3, 6])
def test_a_soft_start_has_a_free_planet_and_nothing_dangerous(number: int) -> None:
    for bag in begun(deck__soft_start=number).bags.values():
        first = bag[:number]
        assert any(tile.kind is Kind.PLANET and not tile.occupied for tile in first)
        assert not {Kind.PIRATES, Kind.WORMHOLE} & {tile.kind for tile in first}


def test_with_start_stance_everybody_begins_hostile_to_all_others() -> None:
    state = begun(start_stance="hostile")
    assert [player.hostile for player in state.players.values()] == [
        set(SEATS) - {seat} for seat in SEATS
    ]


def test_another_begins_each_round_unless_the_sequence_is_fixed() -> None:
    for order, step in (("rotate", 1), ("fixed", 0)):
        state = begun(seat_order=order)
        first = state.order_of_play()
        after = RULESET.resolve(state, dict.fromkeys(SEATS, ()), frozenset(), DICE).state
        assert after.order_of_play() == first[step:] + first[:step]


def test_in_serial_mode_all_have_a_turn_in_a_round() -> None:
    state = begun(mode="serial")
    first, turns = state.order_of_play(), []
    while state.round == 1:
        turns += sorted(RULESET.phase(state).awaiting)
        state = RULESET.resolve(state, {turns[-1]: ()}, frozenset(), DICE).state
    assert turns == first
    assert state.turn_of == first[1]
