"""The robot of Starfarers plays whole games in all modes."""

from functools import cache

import pytest

from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.robots import robot_orders
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.starfarers import RULESET
from referee.rulesets.starfarers.orders import (
    Attack,
    Barter,
    BuildBase,
    BuildRing,
    BuildShip,
    EncounterAnswer,
    Enhance,
    Explore,
    Order,
    PortTrade,
    Teleport,
    Travel,
)
from referee.rulesets.starfarers.parts import ACCEPTED
from referee.rulesets.starfarers.state import Stage
from tests.support.robot_games import Played, played, rejections, sent

STRENGTHS = (Strength.HARD, Strength.NORMAL, Strength.EASY)
ROUNDS = 24
OPTIONS: dict[str, dict[str, int | str | bool]] = {
    "batch": {},
    "serial": {"mode": "serial", "fog": "galaxy"},
    "phased": {"mode": "phased", "combine_moves": True, "mine_on_stay": True},
    "hostile": {"start_stance": "hostile", "colony_system": "cluster", "hand_limit": "9"},
}


@cache
def game(kind: str) -> Played:
    """Return what the robots of the three strengths send until the last round."""
    options = {"turn_limit": ROUNDS, **OPTIONS[kind]}
    return played(RULESET, STRENGTHS, 9 * ROUNDS, options)


@pytest.mark.sampled
@pytest.mark.parametrize("kind", OPTIONS)
def test_no_order_of_a_robot_is_rejected(kind: str) -> None:
    assert [why for each in game(kind).sent for why in rejections(RULESET, each)] == []


@pytest.mark.parametrize("kind", OPTIONS)
def test_a_game_of_robots_comes_to_its_end(kind: str) -> None:
    assert RULESET.verdict(game(kind).end) is not None


def test_the_same_dice_give_the_same_orders() -> None:
    for each in game("batch").sent:
        again = sent(RULESET, each.state, each.seat, STRENGTHS[each.seat - 1], each.state.round)
        assert again.orders == each.orders


def test_in_two_halves_a_robot_travels_and_then_builds() -> None:
    kinds = {stage: set[type[Order]]() for stage in (Stage.TRAVEL, Stage.BUILD)}
    for each in game("phased").sent:
        kinds[each.state.stage] |= set(map(type, each.orders))
    assert {Explore, Travel} < kinds[Stage.TRAVEL] <= {*ACCEPTED[Stage.TRAVEL]}
    assert {BuildBase, Enhance} < kinds[Stage.BUILD] <= {*ACCEPTED[Stage.BUILD]}


def test_robots_use_what_the_game_offers() -> None:
    kinds = {type(order) for kind in OPTIONS for each in game(kind).sent for order in each.orders}
    built = {BuildBase, BuildRing, BuildShip, Enhance}
    assert kinds >= {Attack, Barter, EncounterAnswer, Explore, PortTrade, Teleport, Travel, *built}


def test_a_robot_that_waits_for_others_sends_nothing() -> None:
    state = game("serial").sent[0].state
    (playing,) = RULESET.phase(state).awaiting
    waiting = [seat for seat in state.players if seat != playing]
    assert [sent(RULESET, state, seat, Strength.HARD).orders for seat in waiting] == [(), ()]


@pytest.mark.slow
def test_hard_robots_with_the_cards_of_a_system_have_bases() -> None:
    idle = list[tuple[int, Seat]]()
    for number in range(8):
        dice, turn = Dice(f"hard {number}".encode()), 0
        seats = [SignUp(Seat(n), name) for n, name in enumerate(RULESET.info.names.stock[:3], 1)]
        state = RULESET.setup(seats, RULESET.info.chosen({}), dice)
        while RULESET.verdict(state) is None:
            turn += 1
            sheets = {
                seat: robot_orders(RULESET, state, seat, Strength.HARD, dice.at("robot", turn))
                for seat in sorted(RULESET.phase(state).awaiting)
            }
            state = RULESET.resolve(state, sheets, frozenset(), dice).state
        idle += [
            (number, seat)
            for seat, player in state.players.items()
            if player.hand.total > 17 and not (player.captor or state.bases_of(seat))
        ]
    assert idle == []
