"""Tests of foreign ships and worlds in a report (R3.0, R4.3, R4.5, R6.8.2)."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.fields import Fields
from referee.rules.news import with_log
from referee.rules.ruleset import Seat
from referee.rules.views import Chart, Prose, Table, Verbatim
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.report import CELL
from referee.rulesets.star_empires.scenarios import placed
from referee.rulesets.star_empires.sectors import Sector, written
from referee.rulesets.star_empires.state import Share, State
from referee.rulesets.star_empires.steps.scanning import look_around
from tests.rulesets.star_empires.played import SEATS, game

A, B, C = Seat(1), Seat(2), Seat(3)
CLOSE = "Foreign ships seen closely"
FAR = "Foreign ships on long-range scan"
STRANGERS = "Unidentified ships on long-range scan"
EMPTY = "Empty sectors seen earlier"


def galaxy(*ships: dict[str, Any], **more: Any) -> State:
    """Return a galaxy with a probe of A at (0,0) and the given objects."""
    probe = {"owner": "A", "name": "eye", "class": "probe", "at": [0, 0]}
    content = {"empires": {"A": {}, "B": {}, "C": {}}, "ships": [probe, *ships], **more}
    return placed(Fields(content), Fields({}))


def ship(owner: str, name: str, kind: str, *at: int, **more: Any) -> dict[str, Any]:
    return {"owner": owner, "name": name, "class": kind, "at": list(at), **more}


def sharing(state: State, donor: Seat, recipient: Seat) -> State:
    state.empires[donor].shares[recipient] = Share(everything=True)
    look_around(state)
    return state


def table(state: State, seat: Seat, title: str) -> list[tuple[str, ...]]:
    """Return the rows of a table in a report, or none."""
    blocks = RULESET.view(state, seat, "")
    return [
        row
        for each in blocks
        if isinstance(each, Table) and each.title == title
        for row in each.rows
    ]


def names(state: State, seat: Seat, title: str) -> list[str]:
    return [row[2] for row in table(state, seat, title)]


def test_a_ship_in_the_same_sector_is_seen_in_full() -> None:
    state = galaxy(ship("B", "f", "frigate", 0, 0, dp=5))
    (row,) = table(state, A, CLOSE)
    assert row[:3] == ("(0,0)", "B", "f")
    assert row[4:7] == ("frigate", "5/10", "14")


def test_of_an_unknown_class_only_the_operation_rating_is_seen() -> None:
    state = galaxy(ship("B", "f", "frigate", 0, 0, dp=5))
    state.empires[A].classes.discard("frigate")
    (row,) = table(state, A, CLOSE)
    assert row[4:7] == ("frigate", "70%", "?")
    assert table(state, A, "Foreign classes you have no design of") == [
        ("frigate", "gunship", "10")
    ]


def test_from_afar_only_public_ships_are_identified() -> None:
    state = galaxy(
        ship("B", "f", "frigate", 2, 0),
        ship("B", "w", "fighter", 2, 0),
        ship("B", "p", "probe", 2, 0, public=True),
        ship("C", "q", "probe", 3, 0, transponders=["A"]),
    )
    assert names(state, A, FAR) == ["p", "q"]
    assert table(state, A, STRANGERS) == [("(2,0)", "2", "11")]


def test_cargo_is_never_seen_nor_counted() -> None:
    state = galaxy(
        ship("B", "c", "carrier", 0, 0),
        ship("B", "w", "fighter", 0, 0, carrier="c", public=True),
        ship("B", "d", "carrier", 2, 0),
        ship("B", "x", "fighter", 2, 0, carrier="d", public=True),
    )
    assert names(state, A, CLOSE) == ["c"]
    assert names(state, A, FAR) == []
    assert table(state, A, STRANGERS) == [("(2,0)", "1", "15")]


def test_shared_scans_show_ships_except_concealed_ones_of_the_donor() -> None:
    state = sharing(
        galaxy(
            ship("B", "b", "probe", 20, 0),
            ship("B", "open", "probe", 20, 0, transponders=["A"]),
            ship("C", "c", "frigate", 20, 0),
            ship("C", "far", "frigate", 22, 0),
        ),
        *(B, A),
    )
    assert names(state, A, CLOSE) == ["open", "c"]
    assert table(state, A, STRANGERS) == [("(22,0)", "1", "10")]


def test_sharing_does_not_hide_ships_that_an_empire_sees_itself() -> None:
    state = sharing(galaxy(ship("B", "b", "probe", 0, 0)), B, A)
    assert names(state, A, CLOSE) == ["b"]


def test_a_scanned_world_shows_its_stockpile_and_no_blockade() -> None:
    worlds = [{"name": "W", "at": [2, 0], "owner": "B", "production": 3, "stockpile": 7}]
    state = galaxy(ship("B", "b", "fighter", 2, 0), worlds=worlds)
    assert table(state, A, "Other worlds") == [("W", "(2,0)", "B", "3", "7", "scanned", "")]


def test_a_stale_world_is_shown_as_it_was_last_seen() -> None:
    worlds = [{"name": "W", "at": [0, 0], "owner": "B", "production": 3, "stockpile": 7}]
    state = galaxy(worlds=worlds, turn=4)
    state.ships[1].at = (20, 0)
    state.worlds["W"].owner, state.worlds["W"].stockpile = C, 99
    look_around(state)
    assert table(state, A, "Other worlds") == [("W", "(0,0)", "B", "3", "7", "turn 4", "")]


def test_the_turn_of_received_scans_is_not_passed_on() -> None:
    state = galaxy(ship("B", "b", "frigate", 20, 0), ship("C", "c", "frigate", 30, 0), turn=3)
    state.ships[2].at = (21, 0)
    sharing(state, B, A)
    assert table(state, A, EMPTY) == [("3", "(20,0)")]
    # C sees the sector again and shows it to B, whose own scan is still of turn 3.
    state.turn, state.ships[3].at = 5, (20, 0)
    sharing(state, C, B)
    state.turn, state.ships[3].at = 6, (30, 0)
    look_around(state)
    assert table(state, A, EMPTY) == [("3", "(20,0)")]
    assert ("5", "(20,0)") in table(state, B, EMPTY)


def test_a_sector_that_hides_in_a_cloud_was_never_seen() -> None:
    state = galaxy(storms=[{"name": "Mist", "at": [1, 0], "intensity": 0}])
    state.storms.clear()
    state.empires[A].storms.clear()
    assert table(state, A, EMPTY) == []


def test_the_summary_has_the_code_and_the_size_of_the_galaxy() -> None:
    state = galaxy()
    state.radius = 7
    summary = RULESET.view(state, A, "")[0]
    assert isinstance(summary, Prose)
    assert "Your empire's code is A1. The galaxy reaches 7 sectors from its centre." in summary.text


def test_nothing_in_a_report_is_wider_than_a_letter() -> None:
    long = "abcdefghijklmnopqrstuvwxy"
    state = galaxy(
        ship("A", long, "battleship", 0, 0),
        ship("B", long, "battleship", 0, 0),
        storms=[{"name": long, "at": [1, 1], "intensity": 99999}],
    )
    state.empires[B].name = "B" * 20
    wide = [line for line in text(RULESET.view(state, A, "")).splitlines() if len(line) > 78]
    assert wide == []


@pytest.mark.parametrize("seat", SEATS)
def test_a_report_has_every_ship_and_world_of_its_empire(seat: Seat) -> None:
    state = game()[-1].state
    empire = state.empires[seat]
    assert {
        (at, name, points.partition("/")[0], guns, racks.startswith("on "))
        for at, alike, _, points, guns, *_, racks in table(state, seat, "Your ships")
        for name in alike.split(", ")
    } == {
        (
            written(empire.frame.local(ship.at)),
            ship.callsign,
            str(ship.dp),
            str(state.guns(ship)),
            ship.loaded,
        )
        for ship in state.fleet(seat)
    }
    assert {(name, at, stock) for name, at, _, stock, _ in table(state, seat, "Your worlds")} == {
        (world.name, written(empire.frame.local(world.at)), str(world.stockpile))
        for world in state.worlds_of(seat)
    }


def test_equal_ships_of_one_sector_share_a_row_and_keep_their_serial_numbers() -> None:
    state = galaxy(
        ship("A", "f10", "frigate", 0, 0),
        ship("A", "f2", "frigate", 0, 0),
        ship("A", "f3", "frigate", 0, 0, dp=5),
        ship("A", "f4", "frigate", 1, 0),
    )
    rows = [row[:4] for row in table(state, A, "Your ships") if row[2] == "frigate"]
    assert rows == [
        ("(0,0)", "f2, f10", "frigate", "10/10"),
        ("(0,0)", "f3", "frigate", "5/10"),
        ("(1,0)", "f4", "frigate", "10/10"),
    ]
    report = " ".join(text(RULESET.view(state, A, "")).split())
    assert all(f"{each.name} {each.serial}" in report for each in state.fleet(A) if each.name)


def test_what_matters_most_comes_first_and_the_map_last() -> None:
    position = game()[-1]
    played = RULESET.resolve(position.state, position.sheets, frozenset(), Dice(b"a game"))
    view = with_log(RULESET.view(played.state, A, ""), played.events, A)
    titles = [block.title for block in view if not isinstance(block, Chart)]
    wanted = ["Your worlds", "Your ships", "Other worlds", "Designs", "Log: Movement", "Map"]
    assert [title for title in titles if title in wanted] == wanted
    assert titles[-2:] == ["Map", ""]


@pytest.mark.parametrize("seat", SEATS)
def test_the_map_has_every_sector_that_an_empire_knows(seat: Seat) -> None:
    empire = game()[-1].state.empires[seat]
    drawn = [*mapped(game()[-1].state, seat)]
    assert sorted(drawn) == sorted({empire.frame.local(each.at) for each in empire.chart})


def mapped(state: State, seat: Seat) -> Iterator[Sector]:
    """Yield the sectors on the map; the label of a row is its first sector."""
    blocks = RULESET.view(state, seat, "")
    (drawn,) = (each.text for each in blocks if isinstance(each, Verbatim) and each.title == "Map")
    for row in re.finditer(r"^ *\((-?\d+),(-?\d+)\) (.*)$", drawn, re.MULTILINE):
        cells = [cell.start() for cell in re.finditer(r"[A-Za-z.:][*!?]*", row[3])]
        for right in ((start - cells[0]) // CELL for start in cells):
            yield int(row[1]) + right, int(row[2]) + right // 2
