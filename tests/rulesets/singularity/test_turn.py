"""Turns of The Singularity Trap: any orders are resolved, and the sections come in order."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.items import Parsed
from referee.parsing.reader import read_orders, reader_of
from referee.parsing.reference import reference
from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.ruleset import RulingKind, Seat, SignUp
from referee.rulesets.singularity import RULESET
from referee.rulesets.singularity.economy import value
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
    Place,
    Repair,
    Resign,
    Scrap,
    SetAlliance,
    Slipstream,
    Terraform,
    Vector,
    Warp,
)
from referee.rulesets.singularity.setup import setup
from referee.rulesets.singularity.state import Section, State
from referee.rulesets.singularity.units import UNITS
from tests.rulesets.singularity.played import BATCHES, SEATS, crowded, game

ANY = Dice(b"any")
PLAYERS = st.integers(1, 7)
PLANETS = st.integers(1, 40)
PLACES = st.none() | st.builds(Place, PLANETS, st.sampled_from("ABCDEFI"))
TYPES = st.sampled_from("FSRJTCB")
VECTORS = st.builds(Vector, st.integers(0, 6), st.sampled_from((-1, 0, 1)))
MORE = st.one_of(st.builds(Warp, VECTORS), st.just(Jump()))
FIRST = st.one_of(st.builds(Slipstream, VECTORS, st.integers(1, 9)), MORE)


@cache
def orders() -> st.SearchStrategy[Order]:
    """Return a strategy for any orders, for existing ships and others."""
    ships = st.builds(lambda built, seat: 10 * built + seat, st.integers(1, 15), st.integers(1, 4))
    segments = st.tuples(FIRST, st.lists(MORE, max_size=4)).map(lambda way: (way[0], *way[1]))
    parts = st.lists(st.tuples(st.integers(1, 10**9 - 1), TYPES), min_size=1, max_size=3)
    return st.one_of(
        st.builds(Scrap, ships),
        st.builds(Repair, ships, points=st.integers(1, 10**9 - 1)),
        st.builds(Repair, ships, units=st.text("".join(UNITS), min_size=1, max_size=5)),
        st.builds(Hide, ships),
        st.builds(Build, PLANETS, parts.map(tuple)),
        st.builds(Move, ships, segments),
        st.builds(
            FirstPlayers, st.lists(PLAYERS, min_size=1, max_size=3, unique=True).map(tuple), PLACES
        ),
        st.builds(FirstTypes, st.lists(TYPES, min_size=1, unique=True).map(tuple), PLACES),
        st.builds(FireArmed, PLACES),
        st.builds(FireWeakest, PLACES),
        st.just(Resign()),
        st.builds(FireAtShip, ships, st.lists(ships, min_size=1, max_size=3).map(tuple)),
        st.builds(Terraform, PLANETS, st.sampled_from("ROYGBVX")),
        st.builds(SetAlliance, PLAYERS, st.booleans()),
        st.builds(Declare, st.lists(PLAYERS, min_size=1, max_size=3).map(tuple)),
        st.builds(Declare, st.tuples(PLAYERS, PLAYERS), st.just(True)),
    )


SHEETS = st.fixed_dictionaries(
    {seat: st.deferred(lambda: st.lists(orders(), max_size=8)) for seat in SEATS}
)
STATES = st.integers(0, 10**6).map(crowded)


@given(STATES, SHEETS)
def test_every_order_has_one_outcome_and_one_ruling(
    state: State, sheets: dict[Seat, list[Order]]
) -> None:
    resolution = RULESET.resolve(state, sheets, frozenset(), ANY)
    for seat, sheet in sheets.items():
        assert [order for order, _ in resolution.outcomes[seat]] == sheet
        assert len(RULESET.validate(state, seat, sheet)) == len(sheet)
        assert RULESET.view(resolution.state, seat, "")
        assert RULESET.explain(state, seat, Resign()).startswith("You leave the war for good: ")


@given(STATES, SHEETS)
def test_the_same_orders_lead_to_the_same_state_in_any_sequence_of_the_seats(
    state: State, sheets: dict[Seat, list[Order]]
) -> None:
    first = RULESET.resolve(state, sheets, frozenset(), ANY)
    assert first == RULESET.resolve(state, dict(reversed(sheets.items())), frozenset(), ANY)


@given(STATES, SHEETS)
def test_orders_rejected_before_the_deadline_fail(
    state: State, sheets: dict[Seat, list[Order]]
) -> None:
    resolution = RULESET.resolve(state, sheets, frozenset(), ANY)
    for seat, sheet in sheets.items():
        rulings = RULESET.validate(state, seat, sheet)
        assert [
            order
            for (order, outcome), ruling in zip(resolution.outcomes[seat], rulings, strict=True)
            if ruling.kind is RulingKind.REJECTED and outcome.done
        ] == []


@given(STATES, SHEETS)
def test_nothing_is_lost_or_created(state: State, sheets: dict[Seat, list[Order]]) -> None:
    after = RULESET.resolve(state, sheets, frozenset(), ANY).state
    assert after.jumps == state.jumps
    assert {c: p.level for c, p in after.planets.items()} == {
        c: p.level for c, p in state.planets.items()
    }
    assert {planet.owner for planet in after.planets.values()} <= {None, *SEATS}
    assert all(planet.colour in "ROYGBV-" for planet in after.planets.values())
    for number, ship in after.ships.items():
        whole = after.kind(ship).undamaged()
        assert all(0 <= count <= whole[unit] for unit, count in ship.units.items())
        assert number == ship.number
        assert number % 10 == ship.owner
        assert number in state.ships or number > 10 * state.players[ship.owner].built
    assert all(player.points >= 0 for player in after.players.values())


@given(STATES.filter(lambda state: state.section is Section.ECONOMIC), SHEETS)
def test_every_point_goes_into_upkeep_repair_ships_or_the_purse(
    state: State, sheets: dict[Seat, list[Order]]
) -> None:
    sheets = {s: [o for o in sheet if not isinstance(o, Resign)] for s, sheet in sheets.items()}
    after = RULESET.resolve(state, sheets, frozenset(), ANY).state
    for seat, player in state.players.items():
        income = sum(value(state, player, planet.colour) for planet in state.planets_of(seat))
        kept = [ship for ship in after.fleet(seat) if ship.number in state.ships]
        built = [ship for ship in after.fleet(seat) if ship.number not in state.ships]
        repaired = sum(
            max(0, count - state.ships[ship.number].units[unit])
            for ship in kept
            for unit, count in ship.units.items()
        )
        spent = len(kept) + repaired + sum(after.kind(ship).cost for ship in built)
        assert after.players[seat].points == player.points + income - spent


@given(STATES.filter(lambda state: state.section is Section.COMBAT), SHEETS)
def test_combat_only_takes_units_away_and_one_for_each_hit(
    state: State, sheets: dict[Seat, list[Order]]
) -> None:
    sheets = {s: [o for o in sheet if not isinstance(o, Resign)] for s, sheet in sheets.items()}
    after = RULESET.resolve(state, sheets, frozenset(), ANY).state
    shots = sum(ship.shots for ship in state.ships.values() if not ship.dark)
    lost = 0
    for number, ship in state.ships.items():
        units = after.ships[number].units if number in after.ships else dict.fromkeys(ship.units, 0)
        assert all(units[unit] <= count for unit, count in ship.units.items())
        # A destroyed ship loses all its units, so it does not count here.
        lost += sum(ship.units.values()) - sum(units.values()) if number in after.ships else 0
        if ship.dark and number in after.ships:
            assert units == ship.units
    assert lost <= shots
    assert after.ships.keys() <= state.ships.keys()


@given(st.text() | st.text("SWKLPFACEMQVJXRHT0123456789+=-, \n", max_size=60))
def test_any_text_can_be_sent_as_orders(text: str) -> None:
    state = crowded(len(text))
    read = reader_of(GRAMMAR).read(text)
    sheet = [item.order for item in read if isinstance(item, Parsed)]
    assert len(RULESET.validate(state, SEATS[0], sheet)) == len(sheet)
    outcomes = RULESET.resolve(state, {SEATS[0]: sheet}, frozenset(), ANY).outcomes
    assert len(outcomes[SEATS[0]]) == len(sheet)


@given(st.data())
def test_orders_on_one_line_are_read_as_they_are_written(data: st.DataObject) -> None:
    drawn = data.draw(st.lists(orders(), max_size=9))
    sheet = [order for order in drawn if not isinstance(order, Resign)]
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
def test_a_doctrine_is_accepted_without_combat(mode: str) -> None:
    state = game(mode)[0].state
    sheet = {Seat(1): read_orders(GRAMMAR, "KW KP2 KB,C")}
    resolution = RULESET.resolve(state, sheet, frozenset(), Dice(b"any"))
    is_accepted = state.section is Section.TURN
    assert [outcome.done for _, outcome in resolution.outcomes[Seat(1)]] == [is_accepted] * 3


@pytest.mark.parametrize("mode", BATCHES)
def test_nothing_is_forecast_for_a_player_who_leaves(mode: str) -> None:
    for position in game(mode):
        for seat in position.state.active():
            sheet = read_orders(GRAMMAR, "S11W0=\nQ")
            assert RULESET.forecast(position.state, seat, sheet) == ()
            assert RULESET.unused(position.state, seat, sheet) == []


@pytest.mark.parametrize("page", ["report", "HELP ORDERS"])
def test_report_and_help_show_types_letters_units_and_costs_of_ships(page: str) -> None:
    state = game("single")[0].state
    shown = (
        text(RULESET.view(state, Seat(1), "")) if page == "report" else reference(GRAMMAR.source)
    )
    words = " ".join(shown.split())
    form = "{0} {1.name} {1.units} {1.cost}"
    if page != "report":
        form = "{0}, {1.name}: {1.units}, {1.cost}"
    for letter, kind in state.rules.types.items():
        assert form.format(letter, kind) in words
    assert "S system, D drive, L slip, J jump, W weapon, A armor, M multifire, N sensor" in words


def test_the_report_shows_the_ships_of_this_game() -> None:
    state = setup([SignUp(Seat(n), name) for n, name in enumerate(("A", "B"), 1)],
                  {"ships.f": "SDDWA 6"}, ANY)  # fmt: skip
    assert "F fighter SDDWA 6" in " ".join(text(RULESET.view(state, Seat(1), "")).split())


def test_a_jump_off_the_charts_is_warned_of() -> None:
    state, _ = RULESET.correct(game("single")[0].state, "S81 [ABBOT] J 26C\nJUMP 25C 1A")
    (jump,) = read_orders(GRAMMAR, "S81W5=J")
    (unknown,) = RULESET.validate(state, Seat(1), [jump])
    assert unknown.reason == "You do not know yet where this jump leads."
    state.players[Seat(1)].charts = [chart for chart in state.jumps if chart.start == (25, 0)]
    (known,) = RULESET.validate(state, Seat(1), [jump])
    assert known.reason == ""
