"""The powers of the Black Box (s14)."""

import pytest

from referee.rules.ruleset import Seat
from referee.rulesets.starweb.state import BlackBox, BoxPower, State
from referee.rulesets.starweb.steps.blackbox import draw_power
from tests.rulesets.starweb.galaxies import CERES, DICE, MARS, TEJAT, galaxy, resolved

GALAXY = """
W1 (2) [CERES] (Industry=2,Mines=3,Population=9,Limit=9,P-Ships=1)  V100
W2 (1) [MARS] (Population=9,P-Ships=1)
W3 () [] (Population=9,P-Ships=1)
W4 () (B*L*A*C*K H*O*L*E)
W5 () []
"""
ON_A_KEY = """
W1 (2) [CERES] (Population=9,P-Ships=1)
   F1[CERES]=3  V100
W2 (1) [MARS] (Population=9,P-Ships=1)
W3 () [] (Population=9,P-Ships=1)
W4 () (B*L*A*C*K H*O*L*E)
"""


def after(power: BoxPower, turns: int, records: str = GALAXY) -> State:
    state = galaxy(records)
    state.box = BlackBox(power)
    for _ in range(turns):
        state = resolved(state).state
    return state


def test_a_box_may_do_nothing() -> None:
    state = after(BoxPower.NOTHING, 3)
    idle = galaxy(GALAXY.replace("  V100", ""))
    for _ in range(3):
        idle = resolved(idle).state
    idle.worlds[1].artifacts = [100]
    assert state.worlds == idle.worlds


def test_one_metal_every_turn() -> None:
    metal = [after(BoxPower.METAL, turns).worlds[1].metal for turns in (0, 1)]
    plain = after(BoxPower.NOTHING, 1).worlds[1].metal
    assert metal == [0, plain + 1]


@pytest.mark.parametrize(("turns", "mines"), [(7, 4), (8, 8)])
def test_mines_are_doubled_every_eighth_turn(turns: int, mines: int) -> None:
    # After seven turns of ownership the world gets one more mine without the box.
    assert after(BoxPower.MINES, turns).worlds[1].mines == mines


def test_a_new_connection_leads_both_ways_and_stays() -> None:
    state = after(BoxPower.GATES, 1)
    (new,) = set(state.worlds[1].gates) - {2}
    assert new in {3, 5}
    assert state.worlds[new].gates == (1,)


def test_connections_are_made_to_ordinary_worlds_only() -> None:
    assert after(BoxPower.GATES, 9).worlds[1].gates == (2, 3, 5)


def test_no_more_than_nine_connections_are_made() -> None:
    state = galaxy(
        "W1 () [CERES] (Population=9)  V100\n"
        + "\n".join(f"W{number} ()" for number in range(2, 40))
    )
    state.box = BlackBox(BoxPower.GATES)
    for _ in range(12):
        state = resolved(state).state
    assert len(state.worlds[1].gates) == 9


def test_the_key_flies_to_a_random_world_every_fifth_turn() -> None:
    assert after(BoxPower.FLIGHT, 4, ON_A_KEY).fleets[1].world == 1
    goal = DICE.at("turn 5", "black box", 1).pick([1, 2, 3])
    assert after(BoxPower.FLIGHT, 5, ON_A_KEY).fleets[1].world == goal


def test_the_holder_is_shown_a_random_world_every_second_turn() -> None:
    goal = DICE.at("turn 2", "black box", 1).pick([1, 2, 3, 4, 5])
    assert after(BoxPower.PROBE, 1).players[CERES].worlds == {1}
    assert after(BoxPower.PROBE, 2).players[CERES].worlds == {1, goal}


def test_all_players_see_the_holders_home_every_sixth_turn() -> None:
    assert after(BoxPower.UNMASKING, 5).players[MARS].worlds == {2}
    assert after(BoxPower.UNMASKING, 6).players[MARS].worlds == {1, 2}


def test_an_industry_every_turn_and_on_the_tenth_nothing_is_left() -> None:
    assert after(BoxPower.INDUSTRY, 9).worlds[1].industry == 11
    world = after(BoxPower.INDUSTRY, 10).worlds[1]
    assert (world.busted, world.industry, world.population, world.owner) == (True, 0, 0, None)
    assert world.artifacts == [100]


def test_a_box_without_a_holder_does_nothing() -> None:
    records = GALAXY.replace("  V100", "").replace("W5 () []", "W5 () []  V100")
    assert after(BoxPower.METAL, 4, records).box.turns == 0


def test_the_turns_are_counted_whoever_holds_it() -> None:
    state = after(BoxPower.MINES, 3)
    state.worlds[1].owner = TEJAT
    assert resolved(state).state.box.turns == 4


def test_every_power_can_be_drawn() -> None:
    drawn = {draw_power(DICE.at(seat)) for seat in range(200)}
    assert drawn == set(BoxPower)
    assert Seat(1) == CERES
