"""The events of a turn are kept whole, and read again as they were told."""

import json

from referee.desk.base.told_turns import events_of, rows_of
from referee.rules.ruleset import Event, Seat, Weight
from referee.store.models import TurnRow

EVENTS = (
    Event("W1 is lost.", frozenset({Seat(2)}), Weight.LOSS, ("W1",), "", "CERES lost W1."),
    Event("F1 moved.", frozenset({Seat(1), Seat(2)}), Weight.DETAIL, (), "Moves"),
    Event("The game is over.", None, Weight.END),
)


def test_events_are_read_as_they_were_written() -> None:
    kept = json.loads(json.dumps(rows_of(EVENTS)))
    assert events_of(TurnRow(events=kept)) == EVENTS


def test_a_row_of_a_text_and_an_audience_is_a_note() -> None:
    kept = [["W1 is lost.", [2]], ["The game is over.", None]]
    assert events_of(TurnRow(events=kept)) == (
        Event("W1 is lost.", frozenset({Seat(2)})),
        Event("The game is over.", None),
    )


def test_a_turn_that_is_not_resolved_has_none() -> None:
    assert events_of(TurnRow()) == ()
