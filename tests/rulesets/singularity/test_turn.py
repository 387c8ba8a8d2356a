"""Turns of The Singularity Trap: total whatever is ordered, and the sections in their sequence."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.reader import read_orders
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat
from referee.rulesets.singularity import RULESET
from referee.rulesets.singularity.language import GRAMMAR, render
from referee.rulesets.singularity.orders import (
    Build,
    Declare,
    FireArmed,
    FireAtShip,
    FireWeakest,
    FirstPlayers,
    FirstTypes,
    Hide,
    Jump,
    Move,
    Order,
    Repair,
    Resign,
    Scrap,
    SetAlliance,
    Slip,
    Terraform,
    Vector,
    Warp,
)
from referee.rulesets.singularity.state import Section
from referee.rulesets.singularity.units import UNITS
from tests.rulesets.singularity.played import BATCHES, SEATS, game

PLAYERS = st.integers(1, 7)
PLANETS = st.integers(1, 40)
TYPES = st.sampled_from("FSRJTCB")
VECTORS = st.builds(Vector, st.integers(0, 6), st.sampled_from((-1, 0, 1)))
MORE = st.one_of(st.builds(Warp, VECTORS), st.just(Jump()))
FIRST = st.one_of(st.builds(Slip, VECTORS, st.integers(1, 9)), MORE)


@cache
def orders() -> st.SearchStrategy[Order]:
    """Give any orders, for ships that there are and others."""
    ships = st.one_of(
        st.integers(1, 99),
        st.sampled_from(sorted({n for mode in BATCHES for p in game(mode) for n in p.state.ships})),
    )
    segments = st.tuples(FIRST, st.lists(MORE, max_size=4)).map(lambda way: (way[0], *way[1]))
    parts = st.lists(st.tuples(st.integers(1, 10**9 - 1), TYPES), min_size=1, max_size=3)
    return st.one_of(
        st.builds(Scrap, ships),
        st.builds(Repair, ships, points=st.integers(1, 10**9 - 1)),
        st.builds(Repair, ships, units=st.text("".join(UNITS), min_size=1, max_size=5)),
        st.builds(Hide, ships),
        st.builds(Build, PLANETS, parts.map(tuple)),
        st.builds(Move, ships, segments),
        st.builds(FirstPlayers, st.lists(PLAYERS, min_size=1, max_size=3).map(tuple)),
        st.builds(FirstTypes, st.lists(TYPES, min_size=1, unique=True).map(tuple)),
        st.sampled_from((FireArmed(), FireWeakest(), Resign())),
        st.builds(FireAtShip, ships, ships),
        st.builds(Terraform, PLANETS, st.sampled_from("ROYGBVX")),
        st.builds(SetAlliance, PLAYERS, st.booleans()),
        st.builds(Declare, st.lists(PLAYERS, min_size=1, max_size=3).map(tuple)),
        st.builds(Declare, st.tuples(PLAYERS, PLAYERS), st.just(True)),
    )


@given(st.data())
def test_every_order_has_one_outcome_and_one_ruling_whatever_it_says(data: st.DataObject) -> None:
    state = data.draw(st.sampled_from([p.state for mode in BATCHES for p in game(mode)]))
    sheets = data.draw(st.fixed_dictionaries({s: st.lists(orders(), max_size=8) for s in SEATS}))
    resolution = RULESET.resolve(state, sheets, frozenset(), Dice(b"any"))
    for seat, sheet in sheets.items():
        assert [order for order, _ in resolution.outcomes[seat]] == sheet
        assert len(RULESET.validate(state, seat, sheet)) == len(sheet)
        assert RULESET.verdict(resolution.state) is None or RULESET.view(resolution.state, seat, "")


@given(st.data())
def test_orders_on_one_line_are_read_as_they_are_written(data: st.DataObject) -> None:
    sheet = data.draw(st.lists(orders(), min_size=1, max_size=9))
    line = " ".join(map(render, sheet))
    assert read_orders(GRAMMAR, line) == tuple(sheet)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("single", {Section.TURN}),
        ("two", {Section.PLAN, Section.SETTLE}),
        (
            "full",
            {Section.ECONOMIC, Section.MOVEMENT, Section.COMBAT, Section.ECOPOLITICAL},
        ),
    ],
)
def test_a_war_in_each_mode_has_all_its_sections(mode: str, expected: set[Section]) -> None:
    assert {position.state.section for position in game(mode)} - {Section.OVER} == expected


@pytest.mark.parametrize("mode", BATCHES)
def test_a_doctrine_stands_though_nobody_fights(mode: str) -> None:
    state = game(mode)[0].state
    sheet = {Seat(1): read_orders(GRAMMAR, "KT KW KP2 KB,C")}
    resolution = RULESET.resolve(state, sheet, frozenset(), Dice(b"any"))
    stands = state.section is Section.TURN
    assert [outcome.done for _, outcome in resolution.outcomes[Seat(1)]] == [stands] * 4


def test_the_ruling_says_where_the_charts_end() -> None:
    state, _ = RULESET.correct(game("single")[0].state, "S81 [ABBOT] J 26C\nJUMP 25C 1A")
    (leaps,) = read_orders(GRAMMAR, "S81W5=J")
    (unknown,) = RULESET.validate(state, Seat(1), [leaps])
    assert unknown.reason == "Where the jump leads you do not know yet."
    state.players[Seat(1)].charts = [chart for chart in state.jumps if chart.start == (25, 0)]
    (known,) = RULESET.validate(state, Seat(1), [leaps])
    assert known.reason == ""
