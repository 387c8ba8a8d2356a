"""The news: all losses are in it, its places are on the map, and others read no coordinates."""

import re

import pytest
from hypothesis import given

from referee.rules.news import heard
from referee.rules.ruleset import Event, Seat, Weight
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.orders import Order
from referee.rulesets.star_empires.state import State
from referee.rulesets.star_empires.turn import TURN
from referee.rulesets.star_empires.turn_state import Turn
from tests.rulesets.star_empires.galaxies import SEATS, galaxies, sheets
from tests.rulesets.star_empires.played import TURNS, game
from tests.rulesets.star_empires.test_secrecy import DICE
from tests.support.examples import examples


def losses_of(events: tuple[Event, ...], seat: Seat) -> list[Event]:
    """Return the news of losses of an empire."""
    return [event for event in heard(events, seat) if event.weight is Weight.LOSS]


@examples(60)
@given(galaxies(), sheets())
def test_the_news_has_every_lost_ship_and_world(
    state: State, orders: dict[Seat, list[Order]]
) -> None:
    turn = Turn(state, orders, DICE)
    events = turn.run(TURN).events
    for seat in SEATS:
        told = " ".join(event.text for event in losses_of(events, seat))
        ships = sum(wreck.owner == seat for wreck in turn.wrecks)
        assert sum(map(int, re.findall(r"(\d+) ships?\b", told))) == ships
        lost = {w.name for w in state.worlds_of(seat)} - {
            w.name for w in turn.state.worlds_of(seat)
        }
        assert [name for name in lost if name not in told] == []


@pytest.mark.parametrize("turn", range(TURNS))
def test_places_of_events_are_on_the_map(turn: int) -> None:
    position = game()[turn]
    played = RULESET.resolve(position.state, position.sheets, frozenset(), DICE)
    for seat in SEATS:
        keys = {node.key for node in RULESET.chart(played.state, seat).nodes}
        places = {place for event in heard(played.events, seat) for place in event.places}
        assert places <= keys


def test_others_read_of_a_loss_without_coordinates_and_names_of_ships() -> None:
    told = [
        event.told
        for position in game()
        for event in RULESET.resolve(position.state, position.sheets, frozenset(), DICE).events
        if event.told
    ]
    assert told
    assert [text for text in told if re.search(r"[()]|\byour?\b", text, re.IGNORECASE)] == []
