"""The robot of StarWeb: what it orders in small galaxies, and in whole games."""

import pytest

from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.robots import robot_orders
from referee.rules.ruleset import RulingKind, Seat
from referee.rulesets.starweb import RULESET
from referee.rulesets.starweb.sightings import show_correction
from referee.rulesets.starweb.state import Character, State
from referee.testing.casts.starweb import CONTEST
from referee.testing.tournament import PAIRINGS, play, tournament
from tests.rulesets.starweb.galaxies import CERES, MARS, galaxy
from tests.rulesets.starweb.played import DICE, SEATS, TURNS, game

STRENGTHS = tuple(Strength)


def ordered(
    records: str,
    character: Character = Character.EMPIRE_BUILDER,
    strength: Strength = Strength.HARD,
) -> set[str]:
    """Return the orders of CERES as texts."""
    return sent(seen(records, character), strength)


def seen(records: str, character: Character = Character.EMPIRE_BUILDER) -> State:
    """Return a galaxy that the report of CERES shows."""
    state = galaxy(records, {CERES: character})
    show_correction(state)
    return state


def sent(state: State, strength: Strength) -> set[str]:
    orders = robot_orders(RULESET, state, CERES, strength, Dice(b"any"))
    return {RULESET.render(order) for order in orders}


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("turn", range(0, TURNS, 5))
def test_hardly_an_order_is_rejected(turn: int, strength: Strength) -> None:
    state, robot = game()[turn].state, RULESET.extras.robot
    assert robot is not None
    for seat in SEATS:
        orders = robot(state, seat, strength, DICE)
        rulings = RULESET.validate(state, seat, orders)
        rejected = [each for each in rulings if each.kind is RulingKind.REJECTED]
        assert len(orders) > 0
        assert len(rejected) <= len(orders) // 10


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_stranger_and_a_finished_game_get_no_orders(strength: Strength) -> None:
    state = game()[0].state.copy()
    assert robot_orders(RULESET, state, Seat(99), strength, DICE) == ()
    state.finished = True
    assert robot_orders(RULESET, state, CERES, strength, DICE) == ()


HOME = "W1 (2) [CERES] (Industry=30,Metal=30,Population=50,P-Ships=1)\n"


@pytest.mark.parametrize("strength", STRENGTHS)
def test_all_industry_builds_and_a_key_explores(strength: Strength) -> None:
    records = HOME + "   F1[CERES]=0\n   F2[CERES]=0\nW2 (1) [] (Population=9)"
    assert {"W1B15F1", "W1B15F2", "F1W2"} <= ordered(records, Character.MERCHANT, strength)


def test_only_a_better_robot_carries_metal_to_industry() -> None:
    records = HOME + "W2 (1) [CERES] (Metal=9,Mines=3,Population=9)\n   F1[CERES]=9"
    assert {"F1L", "F1W1"} <= ordered(records)
    assert {"F1L", "F1W1"} <= ordered(records, strength=Strength.NORMAL)
    assert "F1L" not in ordered(records, strength=Strength.EASY)


def test_a_hard_robot_shares_ships_with_empty_keys() -> None:
    records = "W1 (2) [CERES] (Population=9)\n   F1[CERES]=4\n   F2[CERES]=0\nW2 (1) []"
    assert "F1T2F2" in ordered(records)
    assert "F1T2F2" not in ordered(records, strength=Strength.EASY)


def test_it_fires_with_as_few_ships_as_are_enough() -> None:
    fight = "   F1[CERES]=9\n   F2[CERES]=4\n   F3[MARS]=2"
    assert "F2AF3" in ordered(HOME + fight)
    assert "F1AF3" not in ordered(HOME + fight)


def test_it_does_not_fight_a_lost_battle() -> None:
    assert not {each for each in ordered(HOME + "   F1[CERES]=1\n   F3[MARS]=9") if "A" in each}


def test_it_fires_at_home_fleets_that_keep_it_from_a_world() -> None:
    records = "W2 (1) [] (Population=9,P-Ships=2)\n   F1[CERES]=4"
    assert "F1AH" in ordered(records)
    assert "F1AH" not in ordered(records, strength=Strength.EASY)


def test_allies_are_not_attacked() -> None:
    state = seen("W2 (1) [MARS] (Population=9,P-Ships=1)\n   F1[CERES]=9\n   F3[MARS]=2")
    state.players[CERES].allies = {MARS}
    assert not {each for each in sent(state, Strength.HARD) if "A" in each}


def test_a_pirate_plunders_worlds_without_much_industry() -> None:
    records = HOME + "W2 (1) [CERES] (Metal=9,Mines=3,Population=9)"
    orders = ordered(records, Character.PIRATE)
    assert "W2X" in orders
    assert "W1X" not in orders


def test_a_berserker_lands_robots_where_they_kill_all_people() -> None:
    records = "W2 (1) [] (Population=40,Mines=2)\n   F1[CERES]=9"
    assert "F1R7" in ordered(records, Character.BERSERKER)
    assert "F1R7" not in ordered(records.replace("=9", "=7"), Character.BERSERKER)


def test_a_merchant_sells_metal_and_goods_in_peace() -> None:
    records = "W2 (1) [MARS] (Population=40,Industry=30)\n   F1[CERES]=9 (Cargo=9)"
    assert {"F1N1", "F1U8", "F1Q"} <= ordered(records, Character.MERCHANT)


def test_an_empire_builder_builds_industry() -> None:
    state = seen(HOME)
    state.turn = 3
    assert "W1I5I" in sent(state, Strength.HARD)


@pytest.mark.release
def test_hard_robots_win_most_of_a_few_games() -> None:
    shares = [score.share for score in tournament("starweb", 6, 2)]
    assert [share > 0.5 for share in shares] == [True, True]


@pytest.mark.slow
def test_a_game_played_again_has_the_same_result() -> None:
    hard, _ = PAIRINGS
    first, second = (play(RULESET, CONTEST, hard, 3) for _ in range(2))
    assert (first.result, first.turns) == (second.result, second.turns)
