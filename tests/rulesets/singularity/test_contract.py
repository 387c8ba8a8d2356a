"""The Singularity Trap keeps the ruleset contract and reveals nothing that is out of sight."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.dice import Dice
from referee.rules.news import opened
from referee.rules.ruleset import Seat
from referee.rulesets.singularity import RULESET
from referee.rulesets.singularity.knowledge import sees_damage
from referee.rulesets.singularity.orders import Move
from referee.rulesets.singularity.state import Chart, Ship, State
from referee.rulesets.singularity.units import DRIVE
from referee.testing.contract import Position, check, visible_to
from tests.rulesets.singularity.played import BATCHES, SEATS, crowded, game, orders
from tests.support.examples import mostly_slow

NO_CHANCE = Dice(b"the same dice for both")


@pytest.mark.parametrize("mode", BATCHES)
def test_the_contract_is_kept_in_the_turns_of_a_war(mode: str) -> None:
    check(RULESET, game(mode)[::5])


@pytest.mark.sampled
@pytest.mark.parametrize("number", mostly_slow(range(12)))
def test_the_contract_is_kept_in_crowded_positions(number: int) -> None:
    state = crowded(number)
    awaiting = RULESET.phase(state).awaiting
    check(RULESET, [Position(state, {seat: orders(state, seat, number) for seat in awaiting})])


@pytest.mark.slow
@given(st.integers(0, 10**6), st.sampled_from(SEATS))
def test_nothing_out_of_sight_is_revealed(number: int, seat: Seat) -> None:
    state = crowded(number)
    changed = with_other_secrets(state, seat, Random(number))
    assert changed != state
    sheet = orders(state, seat, number)
    assert visible_to(RULESET, changed, seat, sheet) == visible_to(RULESET, state, seat, sheet)


@given(st.integers(0, 10**6), st.sampled_from(SEATS))
def test_news_do_not_reveal_points_and_settings_of_others(number: int, seat: Seat) -> None:
    state = crowded(number).copy()
    for player in state.players.values():
        # Enough points for all ships, because a visible unpaid ship would vanish.
        player.points += 40
    changed = state.copy()
    for other, player in changed.players.items():
        if other != seat:
            player.points += 10
            player.charts, player.built = [], player.built + 3
    sheet = {seat: orders(state, seat, number)}
    one, two = (
        RULESET.resolve(each, sheet, frozenset(SEATS) - {seat}, NO_CHANCE)
        for each in (state, changed)
    )
    assert one.outcomes == two.outcomes
    views = [opened(RULESET.view(each.state, seat, ""), each.events, seat) for each in (one, two)]
    assert views[0] == views[1]


@given(st.integers(0, 10**6), st.sampled_from(SEATS), st.randoms(use_true_random=False))
def test_the_outcomes_of_ships_that_stay_do_not_reveal_what_is_out_of_sight(
    number: int, seat: Seat, random: Random
) -> None:
    state = crowded(number)
    staying = [each for each in orders(state, seat, number) if not isinstance(each, Move)]
    one, other = (
        RULESET.resolve(
            with_other_secrets(state, seat, random), {seat: staying}, frozenset(), NO_CHANCE
        )
        for _ in range(2)
    )
    # A player sees in the end which planets they have lost to ships that they had not seen.
    lost = {
        number
        for number, planet in state.planets.items()
        if planet.owner == seat
        and one.state.planets[number].owner != other.state.planets[number].owner
    }
    compared = (
        [each for each in result.outcomes[seat] if getattr(each[0], "planet", None) not in lost]
        for result in (one, other)
    )
    assert next(compared) == next(compared)


def with_other_secrets(state: State, seat: Seat, random: Random) -> State:
    """Return the state with everything changed that *seat* cannot see."""
    state = state.copy()
    public = state.rules.ownership_public
    for planet in state.planets.values():
        if not public and planet.owner != seat and not state.sees(seat, planet.at):
            planet.owner = random.choice([None, *(other for other in SEATS if other != seat)])
            # The owner of a planet sees from it, and so would an ally.
            if planet.owner is not None and state.allied(planet.owner, seat):
                planet.owner = None
    for other, player in state.players.items():
        if other != seat:
            player.points, player.votes, player.wishes = 99, set(), {1: "R"}
            player.charts, player.built = [], player.built + 3
    _change_ships(state, seat, random)
    known = state.players[seat].charts
    state.jumps = [
        chart if chart in known else Chart(chart.start, chart.start) for chart in state.jumps
    ]
    return state


def _change_ships(state: State, seat: Seat, random: Random) -> None:
    """Remove unseen ships, place others, and damage those that are seen from another space."""
    seen = {at for at in state.rules.board.spaces() if state.sees(seat, at)}
    for ship in list(state.ships.values()):
        if ship.owner == seat:
            continue
        if ship.dark or ship.at not in seen:
            del state.ships[ship.number]
        elif not sees_damage(state, seat, ship):
            ship.moving = not ship.moving
            # Weapons decide who can fire, and a sensor changes what allies see: only drives change.
            ship.units[DRIVE] = random.randrange(3)
    strangers = [s for s in SEATS if s != seat and not state.allied(s, seat)]
    hidden = [at for at in state.rules.board.spaces() if at not in seen]
    for number, at in enumerate(random.sample(hidden, 3) if len(hidden) > 3 and strangers else ()):
        owner = random.choice(strangers)
        units = state.rules.types["C"].undamaged()
        ship = Ship(9000 + 10 * number + owner, owner, "C", at.column, at.level, units)
        state.ships[ship.number] = ship
