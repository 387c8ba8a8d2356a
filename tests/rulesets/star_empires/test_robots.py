"""Tests of the robots: they read their reports, and their orders are accepted."""

from functools import cache
from itertools import islice

import pytest

from referee.reports.text import text
from referee.rules.ruleset import RulingKind, Seat
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.language import GRAMMAR
from referee.rulesets.star_empires.state import State
from referee.testing.golden import Played
from referee.testing.golden_games import replayed
from referee.testing.robots.star_empires import GOLDEN, TEMPERAMENTS
from referee.testing.robots.star_empires.reading import SeenGame, read_report
from referee.testing.scenarios import OrderReading

BEGINNING = GOLDEN.beginning
SEATS = [signup.seat for signup in BEGINNING.seats]
TURNS = 14


@cache
def played() -> tuple[Played, ...]:
    """Return the golden game's first turns, with an abandoned empire."""
    return tuple(islice(replayed(RULESET, GOLDEN), TURNS))


@cache
def states() -> tuple[State, ...]:
    """Return the positions of these turns."""
    return tuple(turn.state for turn in played())


def seen(state: State, seat: Seat) -> SeenGame:
    return read_report(text(RULESET.view(state, seat, "")))


@pytest.mark.parametrize("seat", SEATS)
def test_a_robot_reads_its_ships_and_worlds(seat: Seat) -> None:
    state = states()[-1]
    empire, game = state.empires[seat], seen(state, seat)
    local = empire.frame.local
    assert (game.turn, game.name, game.home) == (TURNS, empire.name, empire.homeworld or "")
    assert {(ship.name, ship.at, ship.dp, ship.guns, ship.loaded) for ship in game.ships} == {
        (ship.callsign, local(ship.at), ship.dp, state.guns(ship), ship.loaded)
        for ship in state.fleet(seat)
    }
    assert {(world.name, world.at, world.stock) for world in game.my_worlds()} == {
        (world.name, local(world.at), world.stockpile) for world in state.worlds_of(seat)
    }


@pytest.mark.parametrize("seat", SEATS)
def test_a_robot_reads_every_sector_of_the_map(seat: Seat) -> None:
    empire = states()[-1].empires[seat]
    assert seen(states()[-1], seat).known == {empire.frame.local(each.at) for each in empire.chart}


def test_no_orders_of_a_robot_are_rejected() -> None:
    read = OrderReading()
    rejected = [
        (turn.turn, signup.name, RULESET.render(order), ruling.reason)
        for turn in played()
        for signup in BEGINNING.seats
        for orders in [read(GRAMMAR, turn.sheets[signup.name])]
        for order, ruling in zip(
            orders, RULESET.validate(turn.state, signup.seat, orders), strict=True
        )
        if ruling.kind is RulingKind.REJECTED
    ]
    assert rejected == []


def test_a_robot_writes_to_each_contact_once() -> None:
    robot, letters = TEMPERAMENTS["Trader"](), []
    for state in states():
        letters.append(robot.sheet(text(RULESET.view(state, Seat(3), ""))))
    met = {
        state.empires[seat].name
        for state in states()[-1:]
        for seat in state.empires[Seat(3)].contacts
    }
    written = "\n".join(letters)
    assert sorted(name for name in met if written.count(f"PRESS TO {name}\n") == 1) == sorted(met)


def test_a_letter_without_a_report_is_an_error() -> None:
    with pytest.raises(ValueError, match="no report"):
        read_report("Welcome. You have seat RED in SE-1.")
