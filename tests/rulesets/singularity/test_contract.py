"""The Singularity Trap keeps the contract of a ruleset, and tells nobody what is out of sight."""

from collections.abc import Callable

import pytest

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rulesets.singularity import RULESET
from referee.rulesets.singularity.board import (
    COLUMNS,
    Space,
    free_jumps,
    home,
    jumps,
    spaces,
    wedge,
)
from referee.rulesets.singularity.state import Chart, State
from referee.testing.contract import check, told
from tests.rulesets.singularity.played import BATCHES, SEATS, game


@pytest.mark.parametrize("mode", BATCHES)
def test_the_contract_is_kept_in_the_turns_of_a_war(mode: str) -> None:
    check(RULESET, game(mode)[::5])


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("batch", [3, 8])
def test_nobody_is_told_what_is_out_of_sight(batch: int, seat: Seat) -> None:
    position = game("single")[batch]
    orders = position.sheets.get(seat, ())
    changed = otherwise(position.state, seat)
    assert changed != position.state
    assert told(RULESET, changed, seat, orders) == told(RULESET, position.state, seat, orders)


def otherwise(state: State, seat: Seat) -> State:
    """Give the state with everything another that *seat* cannot see."""
    state = state.copy()
    for other, player in state.players.items():
        if other != seat:
            player.points, player.votes, player.wishes, player.notes = 99, set(), {1: "R"}, []
            player.charts, player.built = [], player.built + 3
    for ship in list(state.ships.values()):
        hidden = ship.dark or not state.sees(seat, ship.at)
        if ship.owner != seat and hidden:
            del state.ships[ship.number]
    known = state.players[seat].charts
    state.jumps = [
        chart if chart in known else Chart(chart.start, chart.start) for chart in state.jumps
    ]
    return state


def test_the_wedges_cover_the_board_but_for_its_middle() -> None:
    columns = [column for number in range(6) for column in wedge(number)]
    assert sorted([*columns, 19]) == list(range(1, COLUMNS + 1))
    assert [home(number) for number in range(6)] == [28, 36, 29, 10, 2, 9]


@pytest.mark.parametrize("lay", [jumps, free_jumps])
def test_a_jump_leads_from_each_space_to_another_and_never_back(
    lay: Callable[[int, Dice], dict[Space, Space]],
) -> None:
    table = lay(2, Dice(b"jumps"))
    assert sorted(table) == sorted(spaces(2))
    assert [at for at, to in table.items() if at in (to, table[to])] == []


def test_only_drawn_by_themselves_do_two_jumps_lead_to_one_space() -> None:
    assert len({*jumps(2, Dice(b"jumps")).values()}) == 185
    assert len({*free_jumps(2, Dice(b"jumps")).values()}) < 185
