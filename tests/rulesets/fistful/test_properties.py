"""Properties of all orders: totality, determinism, and the conservation of ships."""

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.rules.dice import Dice
from referee.rules.news import news_of, with_log
from referee.rules.ruleset import Outcome, RulingKind, Seat, SignUp
from referee.rulesets.fistful import RULESET
from referee.rulesets.fistful import orders as o
from referee.rulesets.fistful.state import Fleet, Stage, State
from referee.rulesets.fistful.turn_state import BATTLES
from referee.testing.contract import visible_to
from tests.rulesets.fistful.played import SEATS
from tests.rulesets.fistful.test_contract import otherwise
from tests.support.examples import examples

DICE = Dice(b"properties")
NEAR = 12
"""The stars in most of the orders, so that the sides meet."""

ships = st.builds(o.Ships, *[st.integers(0, 3)] * 4).filter(bool)
letters = st.sampled_from("ABCDEZ")
stars = st.one_of(st.integers(1, NEAR), st.integers(1, 50))
orders: dict[type[o.Order], st.SearchStrategy[o.Order]] = {
    o.ChooseHome: st.builds(o.ChooseHome, stars),
    o.Land: st.builds(o.Land, letters),
    o.Transfer: st.builds(o.Transfer, letters, st.none() | ships, letters),
    o.Build: st.builds(o.Build, stars, ships, letters),
    o.Fortify: st.builds(o.Fortify, stars),
    o.Grow: st.builds(o.Grow, stars),
    o.Move: st.builds(o.Move, letters, stars),
    o.Defend: st.builds(o.Defend, letters),
    o.Withdraw: st.builds(o.Withdraw, letters, stars),
    o.Recon: st.builds(o.Recon, letters, st.lists(stars, min_size=1, max_size=3).map(tuple)),
    o.Concede: st.builds(o.Concede),
}
order = st.one_of(*orders.values())
sheets = st.fixed_dictionaries({seat: st.lists(order, max_size=12) for seat in SEATS})


@cache
def position(number: int) -> State:
    """Return a crowded game, with colonies and fleets at the first stars; 0 is a new game."""
    seats = [SignUp(SEATS[0], "ALMA"), SignUp(SEATS[1], "BRUNO")]
    fog = number % 2 == 0
    state = RULESET.setup(seats, {"fog": fog, "transports_capture": number % 3 == 0}, DICE)
    if number == 0:
        return state
    for _ in SEATS:
        sheet = {seat: RULESET.defaults(state, seat, ()) for seat in SEATS}
        state = RULESET.resolve(state, sheet, frozenset(), DICE).state
    random = Random(number)
    for star in range(1, NEAR + 1):
        _settle(state, star, random)
    for seat in SEATS:
        for letter in "ABCD":
            counts = [random.randint(0, 2) for _ in range(4)]
            fleet = o.Ships(*counts) or o.Ships(scouts=1)
            state.fleets.append(Fleet(letter, seat, random.randint(1, NEAR), fleet))
    return state


def _settle(state: State, number: int, random: Random) -> None:
    star = state.stars[number]
    if any(player.home == number for player in state.players.values()):
        return
    star.owner = random.choice([None, *SEATS])
    star.size = random.randint(1, star.capacity) if star.owner else 0
    star.fortified = star.owner is not None and random.random() < 0.5
    star.besieged = star.fortified and random.random() < 0.5


positions = st.integers(0, 30).map(position)


def test_the_orders_are_of_every_class() -> None:
    there = {cls for cls in vars(o).values() if isinstance(cls, type) and issubclass(cls, o.Order)}
    assert there - {o.Order, o.FleetOrder} == orders.keys()


@pytest.mark.slow
@given(positions, sheets)
def test_every_order_has_one_ruling_and_one_outcome(
    state: State, sheet: dict[Seat, list[o.Order]]
) -> None:
    outcomes = RULESET.resolve(state, sheet, frozenset(), DICE).outcomes
    for seat, orders in sheet.items():
        assert orders == [order for order, _ in outcomes[seat]]
        assert len(orders) == len(RULESET.validate(state, seat, orders))


@pytest.mark.slow
@given(positions, sheets)
def test_the_sequence_of_the_seats_changes_nothing(
    state: State, sheet: dict[Seat, list[o.Order]]
) -> None:
    turned = dict(reversed(sheet.items()))
    first = RULESET.resolve(state, sheet, frozenset(), DICE)
    assert first == RULESET.resolve(state, turned, frozenset(), DICE)


@pytest.mark.slow
@given(positions, sheets)
def test_rejected_orders_fail_at_the_deadline(
    state: State, sheet: dict[Seat, list[o.Order]]
) -> None:
    outcomes = RULESET.resolve(state, sheet, frozenset(), DICE).outcomes
    for seat, orders in sheet.items():
        rulings = RULESET.validate(state, seat, orders)
        refused = [ruling.kind is RulingKind.REJECTED for ruling in rulings]
        assert refused == [not outcome.done for _, outcome in outcomes[seat]]


@pytest.mark.slow
@given(positions.filter(lambda state: state.rules.fog), sheets, st.sampled_from(SEATS))
def test_outcomes_do_not_reveal_what_the_fog_hides(
    state: State, sheet: dict[Seat, list[o.Order]], seat: Seat
) -> None:
    one, other = (
        RULESET.resolve(each, {seat: sheet[seat]}, frozenset(), DICE).outcomes[seat]
        for each in (state, otherwise(state, seat))
    )
    assert list(map(_told_before_battle, one)) == list(map(_told_before_battle, other))


def _told_before_battle(result: tuple[o.Order, Outcome]) -> tuple[o.Order, Outcome]:
    """Return an order with its outcome, without how many scouts survived a battle."""
    order, outcome = result
    looked = isinstance(order, o.Recon) and outcome.done
    return order, replace(outcome, reason="") if looked else outcome


@given(positions, sheets)
def test_ships_appear_by_building_and_go_by_battle_or_landing(
    state: State, sheet: dict[Seat, list[o.Order]]
) -> None:
    resolution = RULESET.resolve(state, sheet, frozenset(), DICE)
    after = resolution.state
    for seat in SEATS:
        expected = _ships(state, seat)
        for order, outcome in resolution.outcomes[seat]:
            if isinstance(order, o.Build) and outcome.done:
                expected += order.ships
            if isinstance(order, o.Land) and outcome.done:
                expected -= o.Ships(transports=1)
        assert expected.covers(_ships(after, seat))
        if not any(event.heading == BATTLES for event in resolution.events):
            assert expected == _ships(after, seat)


def _ships(state: State, seat: Seat) -> o.Ships:
    return sum((fleet.ships for fleet in state.fleets_of(seat)), o.Ships())


@given(positions, sheets)
def test_a_turn_leaves_a_valid_state(state: State, sheet: dict[Seat, list[o.Order]]) -> None:
    after = RULESET.resolve(state, sheet, frozenset(), DICE).state
    for star in after.stars.values():
        assert (star.owner is None) == (star.size == 0)
        assert star.size <= star.capacity
        assert star.fortified or not star.besieged
    assert all(fleet.ships for fleet in after.fleets)
    assert max(Counter((f.owner, f.letter) for f in after.fleets).values(), default=1) == 1
    if state.stage is Stage.ORDERS:
        assert not any(_still_hostile(after, number) for number in after.stars)


@given(positions, sheets)
def test_stars_stay_and_colonies_change_hands_as_the_rules_allow(
    state: State, sheet: dict[Seat, list[o.Order]]
) -> None:
    resolution = RULESET.resolve(state, sheet, frozenset(), DICE)
    after = resolution.state
    assert _map(after) == _map(state)
    founded = {
        before.star
        for seat, outcomes in resolution.outcomes.items()
        for order, outcome in outcomes
        if isinstance(order, o.Land) and outcome.done
        and (before := state.fleet(seat, order.fleet)) is not None
    }  # fmt: skip
    news = " ".join(event.text for event in resolution.events)
    for number, star in after.stars.items():
        owner = state.stars[number].owner
        if star.owner != owner and state.stage is Stage.ORDERS:
            assert number in founded if owner is None else f"captures W{number} from" in news
        if star.size > state.stars[number].size > 0:
            assert star.size == state.stars[number].size + 1


def _map(state: State) -> list[tuple[int, int, int, int]]:
    return [(s.number, s.row, s.column, s.capacity) for s in state.stars.values()]


@examples(30)
@given(st.integers(1, 15).map(lambda half: position(2 * half)), st.sampled_from(SEATS), sheets)
def test_fog_hides_the_strength_of_the_enemy(
    state: State, seat: Seat, sheet: dict[Seat, list[o.Order]]
) -> None:
    changed = otherwise(state, seat)
    assert visible_to(RULESET, changed, seat, sheet[seat]) == visible_to(
        RULESET, state, seat, sheet[seat]
    )


@pytest.mark.slow
@examples(20, unchecked=True)
@given(st.integers(1, 15).map(lambda half: position(2 * half)), st.sampled_from(SEATS), sheets)
def test_in_fog_equal_reports_have_equal_news(
    state: State, seat: Seat, sheet: dict[Seat, list[o.Order]]
) -> None:
    one, other = (
        RULESET.resolve(each, sheet, frozenset(), DICE) for each in (state, otherwise(state, seat))
    )
    reports = [
        with_log(RULESET.view(each.state, seat, ""), each.events, seat) for each in (one, other)
    ]
    # The strength of the enemy shows in battles, which the report tells blow by blow.
    assume(reports[0] == reports[1])
    assert news_of(one.events, seat) == news_of(other.events, seat)


@given(positions, sheets)
def test_a_turn_is_deterministic(state: State, sheet: dict[Seat, list[o.Order]]) -> None:
    kept = state.copy()
    first = RULESET.resolve(state, sheet, frozenset(), DICE)
    assert RULESET.resolve(state, sheet, frozenset(), DICE) == first
    assert state == kept


def _still_hostile(state: State, number: int) -> bool:
    """Return whether both sides have fleets at a star, and one of them warships (rule 17)."""
    fleets = state.fleets_at(number)
    both = {fleet.owner for fleet in fleets} == set(SEATS)
    return both and any(fleet.ships.warships for fleet in fleets)
