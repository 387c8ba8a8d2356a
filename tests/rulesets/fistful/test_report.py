"""Tests of the report beyond the scenarios: the map, the order sheet, and observers."""

import re
from dataclasses import replace

import pytest

from referee.parsing.reader import read_orders
from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.ruleset import Outcome, RulingKind
from referee.rulesets.fistful import RULESET
from referee.rulesets.fistful.language import GRAMMAR
from referee.rulesets.fistful.orders import Ships
from referee.rulesets.fistful.state import REACH, State
from tests.rulesets.fistful.played import SEATS, TURNS, game


def late() -> State:
    state: State = game()[TURNS - 1].state
    return state


def clear() -> State:
    """Return the late game without fog."""
    return replace(late(), rules=replace(late().rules, fog=False))


@pytest.mark.parametrize("turn", [0, 1, 2, 10, TURNS - 1])
def test_every_order_on_the_template_is_accepted(turn: int) -> None:
    state = game()[turn].state
    for seat in sorted(RULESET.phase(state).awaiting):
        lines = [line.removeprefix("# ") for line in RULESET.template(state, seat)[1:]]
        orders = read_orders(GRAMMAR, "\n".join(line.partition(" ")[0] for line in lines))
        assert len(orders) == len(lines) > 0
        if turn > 1:
            rulings = RULESET.validate(state, seat, orders)
            assert RulingKind.REJECTED not in {ruling.kind for ruling in rulings}


def test_the_answer_names_the_star_that_no_scout_is_left_for() -> None:
    state, seat = late(), SEATS[0]
    fleet = replace(state.fleets_of(seat)[0], letter="A", ships=Ships(scouts=2))
    state = replace(state, fleets=[fleet])
    near = [star for star in state.stars if state.apart(fleet.star, star) <= REACH][:3]
    orders = read_orders(GRAMMAR, "FA" + "".join(f"R{star}" for star in near))
    why = f"Fleet A has only 2 scouts, so nobody looks at W{near[2]}."
    (ruling,) = RULESET.validate(state, seat, orders)
    assert (ruling.kind, ruling.reason) == (RulingKind.WARNED, why)
    resolution = RULESET.resolve(state, {seat: orders}, frozenset(), Dice(b"any"))
    assert [outcome for _, outcome in resolution.outcomes[seat]] == [Outcome(True, why)]


def test_the_map_shows_colonies_and_fleets() -> None:
    seat = SEATS[0]
    drawn = text(RULESET.view(late(), seat, "")).partition("\nMap\n")[2]
    for star in late().stars.values():
        owner = " " if star.owner is None else "+" if star.owner == seat else "-"
        owners = {fleet.owner for fleet in late().fleets_at(star.number)}
        fleets = "!" if SEATS[1] in owners else "'" if seat in owners else " "
        line = drawn.splitlines()[star.row - 1]
        at = 3 + 2 * (star.row % 2 == 0) + 4 * (star.column - 1)
        assert line[at : at + 4].ljust(4) == f"{owner}{star.number:02}{fleets}"


def test_the_list_of_stars_is_made_once_for_all_readers_and_turns() -> None:
    states = [position.state for position in game()[3:5]]
    views = [RULESET.view(state, seat, "") for state in states for seat in (*SEATS, None)]
    stars = [each for blocks in views for each in blocks if getattr(each, "title", "") == "Stars"]
    assert len(stars) == len(views) == 6
    assert all(each is stars[0] for each in stars)


def test_an_observer_sees_fleets_only_without_fog() -> None:
    assert "Fleets of ALMA" not in text(RULESET.view(late(), None, ""))
    assert "Fleets of ALMA" in text(RULESET.view(clear(), None, ""))


def test_without_fog_both_players_see_all_fleets() -> None:
    state = clear()
    reports = {seat: text(RULESET.view(state, seat, "")) for seat in SEATS}
    for seat, enemy in (SEATS, SEATS[::-1]):
        for fleet in state.fleets_of(enemy):
            counts = " +".join(map(str, fleet.ships.counts()))
            assert re.search(f"^F{fleet.letter} +W{fleet.star} +{counts}$", reports[seat], re.M)
