"""Tests of the ruleset contract, and that reports hide secrets."""

from dataclasses import replace

import pytest

from referee.rules.ruleset import Seat
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.hulls import Ratings
from referee.rulesets.star_empires.state import Empire, Ship, Sighting, State
from referee.testing.contract import check, visible_to
from tests.rulesets.star_empires.played import SEATS, TURNS, game


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(0, TURNS, 4))
def test_the_contract_holds_in_every_turn_of_a_game(turn: int) -> None:
    check(RULESET, [game()[turn]])


@pytest.mark.sampled
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("turn", range(2, TURNS, 5))
def test_hidden_facts_change_nothing_that_a_seat_reads(turn: int, seat: Seat) -> None:
    position = game()[turn]
    orders = position.sheets[seat]
    changed = otherwise(position.state, seat)
    assert changed != position.state
    assert visible_to(RULESET, changed, seat, orders) == visible_to(
        RULESET, position.state, seat, orders
    )


def otherwise(state: State, seat: Seat) -> State:
    """Return the state with changes in everything that *seat* can neither see nor remember."""
    state = state.copy()
    for empire in state.empires.values():
        if empire.seat != seat:
            _forget(empire, seat)
    seen = {each.at: each.status for each in state.empires[seat].chart}
    for world in state.worlds.values():
        if seen.get(world.at, Sighting.STALE) is Sighting.STALE:
            world.stockpile += 17
            world.production += 1
            world.owner = None if world.owner != seat else world.owner
    for ship in list(state.ships.values()):
        if ship.owner != seat:
            _change_ship(state, seat, ship, seen.get(ship.at, Sighting.STALE))
    for storm in state.storms.values():
        storm.intensity += 0 if storm.at in seen else 4
    known = state.empires[seat].classes | {ship.kind for ship in state.ships.values()}
    for name in state.classes.keys() - known:
        state.classes[name] = replace(state.classes[name], ratings=Ratings(9, 9), cost=77)
    return state


def _forget(empire: Empire, seat: Seat) -> None:
    empire.chart, empire.contacts = [], set()
    empire.worlds, empire.portals, empire.storms = {}, {}, {}
    empire.classes, empire.navigation = set(), set()
    empire.shares = {to: share for to, share in empire.shares.items() if to == seat}
    empire.homeworld, empire.home = None, (7, 7)


def _change_ship(state: State, seat: Seat, ship: Ship, seen: Sighting) -> None:
    """Change the hidden facts of a foreign ship: all, its cargo, or those that scans omit."""
    if seen is Sighting.STALE:
        del state.ships[ship.number]
    elif ship.loaded:
        ship.name, ship.dp = "Other", 1
    elif seen is Sighting.SCANNED:
        ship.dp = 1
        if not ship.public and seat not in ship.identified:
            ship.name, ship.serial = "Hidden", "XX00000"
