"""The robot of The Singularity Trap plays whole wars, with orders that the rules accept."""

from itertools import pairwise
from typing import Any, Final

import pytest

from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.ruleset import RulingKind, Seat, SignUp
from referee.rulesets.singularity import RULESET
from referee.rulesets.singularity.board import Space
from referee.rulesets.singularity.orders import Build, FireArmed, Move, Repair, Scrap, SetAlliance
from referee.rulesets.singularity.robots import robot
from referee.rulesets.singularity.state import Ship, State
from referee.rulesets.singularity.units import SYSTEM
from tests.rulesets.singularity.played import SEATS, new_war

ACCEPTED: Final = {RulingKind.ACCEPTED}
DICE: Final = Dice(b"robots")
ABBOT, BISHOP = SEATS[:2]
HARD, EASY = Strength.HARD, Strength.EASY


def played(players: int, one: Strength, other: Strength, **options: Any) -> list[State]:
    """Return the states of a war of robots, all of whose orders are valid."""
    signups = [SignUp(Seat(n), "ABCDEF"[n - 1] * 2) for n in range(1, players + 1)]
    states = [RULESET.setup(signups, options, DICE)]
    while RULESET.verdict(states[-1]) is None:
        state, sheets = states[-1], {}
        for seat in RULESET.phase(state).awaiting:
            sheets[seat] = robot(state, seat, one if seat % 2 else other, DICE)
            rulings = RULESET.validate(state, seat, sheets[seat])
            assert [r.reason for r in rulings if r.kind is RulingKind.REJECTED] == []
        states.append(RULESET.resolve(state, sheets, frozenset(), DICE).state)
    return states


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(("mode", "players"), [("single", 4), ("two", 2), ("full", 3)])
@pytest.mark.parametrize(("one", "other"), [*pairwise(Strength)])
def test_robots_play_a_whole_war_with_valid_orders(
    mode: str, players: int, one: Strength, other: Strength
) -> None:
    states = played(players, one, other, mode=mode, turn_limit=9)
    assert states == played(players, one, other, mode=mode, turn_limit=9)
    assert sum(planet.owner is not None for planet in states[-1].planets.values()) > 8


@pytest.mark.slow
def test_robots_play_with_other_rules() -> None:
    rules = {"slip_consumes_drive": True, "fog.ownership": "sight", "sensor.base": 0}
    assert RULESET.verdict(played(4, HARD, EASY, turn_limit=9, **rules)[-1]) is not None


@pytest.mark.parametrize("strength", Strength)
def test_a_new_ship_takes_a_planet_in_its_first_turn(strength: Strength) -> None:
    state = new_war()
    orders = robot(state, ABBOT, strength, DICE)
    assert {Build, Move} <= {type(order) for order in orders}
    after = RULESET.resolve(state, {ABBOT: orders}, frozenset(), DICE).state
    assert len(after.planets_of(ABBOT)) > 1


@pytest.mark.parametrize("strength", Strength)
def test_no_robot_flies_to_the_home_of_another_on_the_first_turn(strength: Strength) -> None:
    state = new_war()
    sheets = {seat: robot(state, seat, strength, DICE) for seat in SEATS}
    after = RULESET.resolve(state, sheets, frozenset(), DICE).state
    homes = {planet.at: seat for seat in SEATS for planet in state.planets_of(seat)}
    assert [s for s in after.ships.values() if homes.get(s.at, s.owner) != s.owner] == []


def with_ships(*owners: Seat) -> State:
    """Return a war with a fighter of each of the owners, in one space."""
    state = new_war()
    at = Space(19, 0)
    for number, owner in enumerate(owners, 1):
        units = state.rules.types["F"].undamaged()
        ship = Ship(10 * number + owner, owner, "F", at.column, at.level, units)
        state.ships[ship.number] = ship
    return state


def test_a_dark_ship_is_repaired() -> None:
    state = with_ships(ABBOT)
    state.ships[11].units[SYSTEM] = 0
    for strength in Strength:
        assert Repair(11, 1) in robot(state, ABBOT, strength, DICE)


def test_a_hard_robot_scraps_a_dark_ship_under_stronger_enemies() -> None:
    state = with_ships(ABBOT, BISHOP, BISHOP, ABBOT)
    state.ships[11].units[SYSTEM] = 0
    del state.ships[41]
    assert Scrap(11) not in robot(state, ABBOT, HARD, DICE), "an enemy that nobody sees"
    state.planets[19].owner = ABBOT
    state.planets[19].level = 0
    assert Scrap(11) in robot(state, ABBOT, HARD, DICE)
    assert Scrap(11) not in robot(state, ABBOT, EASY, DICE)


def test_ships_whose_upkeep_cannot_be_paid_get_no_orders() -> None:
    state = with_ships(*[ABBOT] * 30)
    orders = robot(state, ABBOT, HARD, DICE)
    assert {ruling.kind for ruling in RULESET.validate(state, ABBOT, orders)} == ACCEPTED
    assert {type(order) for order in orders} == {Move, FireArmed}


def test_a_robot_ends_the_alliances_of_its_seat() -> None:
    state = new_war()
    state.players[ABBOT].votes = {BISHOP}
    for strength in Strength:
        assert SetAlliance(BISHOP, yes=False) in robot(state, ABBOT, strength, DICE)
