"""The robot of A Fistful of Planets plays whole games, with orders that the rules accept."""

from itertools import pairwise
from typing import Any, Final

import pytest

from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.robots import robot_orders
from referee.rules.ruleset import RulingKind, Seat
from referee.rulesets.fistful import RULESET
from referee.rulesets.fistful.orders import Land, Move, Recon, Ships
from referee.rulesets.fistful.robots import robot
from referee.rulesets.fistful.state import Fleet, Stage, State
from referee.testing.casts.fistful import SIGNUPS
from tests.rulesets.fistful.played import SEATS

ALMA, BRUNO = SEATS
DICE: Final = Dice(b"robots")
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "fog": {"turn_limit": 14},
    "clear": {"fog": False, "home_pick": "sealed", "turn_limit": 14},
    "odd": {
        "dreadnought_cost": 1,
        "dreadnought_range": 1,
        "grow_at_1": False,
        "transports_capture": True,
        "turn_limit": 14,
    },
}


def new_game(**options: Any) -> State:
    return RULESET.setup(SIGNUPS, options, DICE)


def with_homes(**options: Any) -> State:
    """Return a game with homeworlds."""
    state = new_game(**options)
    while state.stage is Stage.HOMES:
        sheets = {s: RULESET.defaults(state, s, ()) for s in RULESET.phase(state).awaiting}
        state = RULESET.resolve(state, sheets, frozenset(), DICE).state
    return state


def played(name: str, one: Strength, other: Strength) -> list[State]:
    """Return the states of a game of two robots, all of whose orders are valid."""
    states = [new_game(**OPTIONS[name])]
    while RULESET.verdict(states[-1]) is None:
        state, sheets = states[-1], {}
        for seat in RULESET.phase(state).awaiting:
            strength = one if seat == ALMA else other
            sheets[seat] = robot(state, seat, strength, DICE.at(len(states), seat))
            rulings = RULESET.validate(state, seat, sheets[seat])
            assert [r.reason for r in rulings if r.kind is RulingKind.REJECTED] == []
        states.append(RULESET.resolve(state, sheets, frozenset(), DICE).state)
    return states


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize(("one", "other"), [*pairwise(Strength)])
def test_robots_play_a_whole_game_with_valid_orders(
    name: str, one: Strength, other: Strength
) -> None:
    states = played(name, one, other)
    assert states == played(name, one, other)
    assert len(states[-1].colonies_of(ALMA)) + len(states[-1].colonies_of(BRUNO)) > 4


@pytest.mark.parametrize("strength", Strength)
def test_a_robot_lands_the_transports_it_has_built(strength: Strength) -> None:
    state = with_homes()
    for _ in range(3):
        sheets = {ALMA: robot(state, ALMA, strength, DICE)}
        landed = any(isinstance(order, Land) for order in sheets[ALMA])
        state = RULESET.resolve(state, sheets, frozenset(), DICE).state
    assert landed


def home_of(state: State, seat: Seat) -> int:
    home = state.players[seat].home
    assert home is not None
    return home


@pytest.mark.parametrize("strength", Strength)
def test_a_robot_takes_a_homeworld_that_it_can_take_now(strength: Strength) -> None:
    state = with_homes(fog=False)
    prize = home_of(state, BRUNO)
    near = min((n for n in state.stars if n != prize), key=lambda n: state.apart(n, prize))
    state.stars[near].owner, state.stars[near].size = ALMA, 1
    state.fleets.append(Fleet("A", ALMA, near, Ships(dreadnoughts=9)))
    assert Move("A", prize) in robot(state, ALMA, strength, DICE)


def test_a_scout_that_stays_looks_at_the_enemy_in_fog_only() -> None:
    state = with_homes()
    home = home_of(state, ALMA)
    near = min((n for n in state.stars if n != home), key=lambda n: state.apart(n, home))
    state.fleets += [Fleet("A", ALMA, home, Ships(scouts=1)), Fleet("A", BRUNO, near, Ships(9, 9))]
    assert Recon("A", (near,)) in robot(state, ALMA, Strength.HARD, DICE)
    state = with_homes(fog=False)
    state.fleets.append(Fleet("A", ALMA, home, Ships(scouts=1)))
    orders = robot(state, ALMA, Strength.HARD, DICE)
    assert not any(isinstance(order, Recon) for order in orders)


def test_a_robot_believes_what_its_scouts_saw() -> None:
    state = with_homes()
    prize = home_of(state, BRUNO)
    near = min((n for n in state.stars if n != prize), key=lambda n: state.apart(n, prize))
    state.stars[near].owner, state.stars[near].size = ALMA, 1
    ships = Ships(scouts=2, dreadnoughts=9)
    state.fleets += [Fleet("A", ALMA, near, ships), Fleet("A", BRUNO, prize, ships + ships)]
    far = sorted(state.stars, key=lambda n: state.apart(n, prize))[-3:]
    state.fleets += [Fleet(a, BRUNO, n, Ships(scouts=1)) for a, n in zip("BCD", far, strict=True)]
    seen = RULESET.resolve(state, {ALMA: [Recon("A", (prize,))]}, frozenset(), DICE).state
    assert Move("A", prize) in robot(state, ALMA, Strength.HARD, DICE)
    assert Move("A", prize) not in robot(seen, ALMA, Strength.HARD, DICE)


def test_a_robot_that_does_not_choose_now_and_one_after_the_game_send_nothing() -> None:
    state = new_game()
    other = state.other(state.chooser)
    assert [robot_orders(RULESET, state, other, each, DICE) for each in Strength] == [(), (), ()]
    over = with_homes()
    over.stage = Stage.OVER
    assert robot(over, ALMA, Strength.HARD, DICE) == ()
