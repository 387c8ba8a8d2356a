"""The robot of Star Empires plays games with both tables of hulls."""

from functools import cache

import pytest

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.orders import (
    Build,
    Design,
    Fire,
    Load,
    Move,
    Order,
    Pool,
    Unload,
)
from tests.support.robot_games import Played, played, rejections, sent

STRENGTHS = (Strength.HARD, Strength.NORMAL, Strength.EASY)
OPTIONS: dict[str, dict[str, int | str | bool]] = {
    "rules": {"radius": 4},
    "server": {"radius": 4, "hulls": "server", "devices": True, "storm_density": 10},
}


@cache
def game(hulls: str) -> Played:
    """Return what the robots of the three strengths send."""
    return played(RULESET, STRENGTHS, 20, OPTIONS[hulls])


@pytest.mark.parametrize("hulls", OPTIONS)
def test_no_order_of_a_robot_is_rejected(hulls: str) -> None:
    assert [why for each in game(hulls).sent for why in rejections(RULESET, each)] == []


def test_the_same_dice_give_the_same_orders() -> None:
    for each in game("rules").sent:
        again = sent(RULESET, each.state, each.seat, STRENGTHS[each.seat - 1])
        assert again.orders == each.orders


def test_only_a_hard_robot_designs_ships_and_goes_to_war() -> None:
    kinds = {seat: set[type[Order]]() for seat in map(Seat, (1, 2, 3))}
    for each in (each for hulls in OPTIONS for each in game(hulls).sent):
        kinds[each.seat] |= set(map(type, each.orders))
    assert kinds[Seat(1)] == {Build, Design, Fire, Load, Move, Pool, Unload}
    assert kinds[Seat(2)] - {Fire} == {Build, Move, Pool}
    assert kinds[Seat(3)] - {Fire} == {Build, Move}


def test_the_hard_robot_has_most_production() -> None:
    end = game("rules").end
    made = [sum(world.production for world in end.worlds_of(Seat(n))) for n in (1, 2, 3)]
    assert made[0] == max(made)


def test_in_a_long_game_every_robot_plays_as_the_hard_one() -> None:
    state = game("rules").end.copy()
    state.turn = 100
    orders = [sent(RULESET, state, Seat(1), strength).orders for strength in STRENGTHS]
    assert orders[1:] == orders[:1] * 2


@pytest.mark.slow
def test_even_a_game_of_easy_robots_comes_to_its_end() -> None:
    end = played(RULESET, [Strength.EASY] * 3, 150, {"radius": 4}).end
    assert RULESET.verdict(end) is not None


def test_an_empire_without_a_homeworld_sends_nothing() -> None:
    state = game("rules").sent[0].state.copy()
    state.empires[Seat(1)].homeworld = None
    assert sent(RULESET, state, Seat(1), Strength.HARD).orders == ()
