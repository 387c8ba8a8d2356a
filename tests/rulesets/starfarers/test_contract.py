"""Starfarers keeps the contract of a ruleset, and hides hands, bags and decks."""

from collections import Counter

import pytest

from referee.rules.ruleset import Seat
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.goods import Goods
from referee.rulesets.starfarers.state import State
from referee.testing.contract import check, told
from tests.rulesets.starfarers.played import BATCHES, SEATS, game


@pytest.mark.parametrize("mode", BATCHES)
def test_the_contract_is_kept_in_the_rounds_of_a_game(mode: str) -> None:
    check(RULESET, game(mode)[::9])


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("batch", [5, 22])
def test_nobody_is_told_of_hands_and_bags(batch: int, seat: Seat) -> None:
    position = game("batch")[batch]
    orders = position.sheets[seat]
    changed = otherwise(position.state, seat)
    assert changed != position.state
    assert told(RULESET, changed, seat, orders) == told(RULESET, position.state, seat, orders)


def otherwise(state: State, seat: Seat) -> State:
    """Give the state with other cards in others' hands, and other tiles to come."""
    state = state.copy()
    for other, player in state.players.items():
        if other != seat:
            player.hand, player.private = Goods(food=player.hand.total), []
    for bag in state.bags.values():
        bag.reverse()
    state.deck.reverse()
    return state


def test_every_galaxy_has_the_same_tiles_but_for_one_planet() -> None:
    bags = game("batch")[0].state.bags.values()
    kinds = [Counter(tile.kind for tile in bag) for bag in bags]
    assert kinds == [kinds[0]] * len(kinds)
    assert sum(kinds[0].values()) == 50
