"""Tests of the drawn homeworlds and codes."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.dice import Dice
from referee.rules.ruleset import Option, Seat, SignUp, UserError
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.hulls import STARBASE
from referee.rulesets.star_empires.options import INFO
from referee.rulesets.star_empires.sectors import CENTRE, Sector, disk, distance, ring
from referee.rulesets.star_empires.setup import drawn_codes, drawn_homes
from referee.rulesets.star_empires.state import Portal, Sighting, State, Storm, World
from tests.support.examples import examples

MANY = 600


def layouts(seats: int, radius: int = 5) -> list[list[Sector]]:
    return [drawn_homes(seats, radius, Dice(b"%d" % seed)) for seed in range(MANY)]


def neighbours(homes: list[Sector], radius: int) -> list[int]:
    """Return the distances of neighbouring homes, clockwise."""
    around = [sector for sector in ring(radius) if sector in homes]
    return [distance(one, around[place - 1]) for place, one in enumerate(around)]


@examples(60)
@given(st.integers(2, 8), st.integers(2, 10), st.binary(min_size=1, max_size=4))
def test_neighbouring_homes_are_almost_equally_far_apart(
    seats: int, radius: int, seed: bytes
) -> None:
    homes = drawn_homes(seats, radius, Dice(seed))
    assert (seats, set()) == (len(set(homes)), set(homes) - set(ring(radius)))
    gaps = neighbours(homes, radius)
    assert max(gaps) - min(gaps) <= 2
    rim = ring(radius)
    evenly = [rim[number * (len(rim) // seats)] for number in range(seats)]
    assert min(gaps) >= min(3, *neighbours(evenly, radius))


def test_a_home_can_be_anywhere_on_the_rim_for_every_seat() -> None:
    for seat in range(3):
        assert set(ring(5)) == {homes[seat] for homes in layouts(3)}


def test_the_own_home_does_not_tell_where_another_empire_is() -> None:
    for seats in range(2, 9):
        others: dict[Sector, set[Sector]] = {}
        for mine, other, *_ in layouts(seats):
            others.setdefault(mine, set()).add(other)
        assert min(map(len, others.values())) > 1


def test_codes_begin_like_the_names_and_differ() -> None:
    names = ["EVE", "EVAN", "EVELYN", "_9B", "99"]
    for seed in range(MANY):
        codes = drawn_codes(names, Dice(b"%d" % seed))
        assert [code[0] for code in codes] == ["E", "E", "E", "B", "X"]
        assert len(names) == len(set(codes))


def test_similar_names_do_not_change_what_a_code_can_be() -> None:
    def seconds(*names: str) -> set[str]:
        return {drawn_codes(names, Dice(b"%d" % seed))[-1] for seed in range(MANY)}

    alone, last = seconds("EVE"), seconds("EVAN", "EVELYN", "EVE")
    assert len(alone) == 26
    assert alone == last


def test_a_setup_draws_homes_and_codes() -> None:
    signups = [SignUp(Seat(number), name) for number, name in enumerate(("EVE", "EVAN"), 1)]
    states = [RULESET.setup(signups, {}, Dice(b"%d" % seed)) for seed in range(9)]
    assert len({state.empires[Seat(1)].home for state in states}) > 1
    assert len({state.empires[Seat(1)].code for state in states}) > 1
    for state in states:
        for ship in state.ships.values():
            assert state.empires[ship.owner].code == ship.serial[:2]


Thing = World | Portal | Storm


def _values(option: Option) -> st.SearchStrategy[int | str | bool]:
    if option.kind is bool:
        return st.booleans()
    if option.choices:
        return st.sampled_from(option.choices)
    return st.integers(option.lowest, option.highest)


OPTIONS = st.fixed_dictionaries({option.name: _values(option) for option in INFO.options})
SEATS = st.integers(2, 8)
DICE = st.binary(min_size=1, max_size=4).map(Dice)


def signups(number: int) -> list[SignUp]:
    return [SignUp(Seat(n), f"EMPIRE{n}") for n in range(1, number + 1)]


def homes(state: State) -> Iterator[Sector]:
    return (empire.home for empire in state.empires.values())


@examples(15)
@given(SEATS, OPTIONS, DICE)
def test_every_galaxy_is_as_its_options_say(
    seats: int, options: dict[str, int | str | bool], dice: Dice
) -> None:
    state = RULESET.setup(signups(seats), options, dice)
    radius = int(options["radius"])
    things: list[Thing] = [*state.worlds.values(), *state.portals.values(), *state.storms.values()]
    assert {thing.at for thing in things} <= set(disk(CENTRE, radius))
    assert len({thing.name.casefold() for thing in things}) == len(things)
    places = [world.at for world in state.worlds.values()]
    places += [portal.at for portal in state.portals.values()]
    assert len(set(places)) == len(places)
    assert len(set(homes(state)) & set(ring(radius))) == seats
    assert max((storm.intensity for storm in state.storms.values()), default=0) <= int(
        options["storm_intensity"]
    )


@examples(15)
@given(SEATS, OPTIONS, DICE)
def test_every_empire_begins_with_the_same(
    seats: int, options: dict[str, int | str | bool], dice: Dice
) -> None:
    state = RULESET.setup(signups(seats), options, dice)
    for seat, empire in state.empires.items():
        (home,) = state.worlds_of(seat)
        assert (home.name, home.at) == (empire.homeworld, empire.home)
        assert (home.production, home.stockpile, home.homeworld) == (12, 12, True)
        assert [ship.kind for ship in state.fleet(seat)] == [STARBASE]
        assert empire.classes == set(state.classes)
        assert not empire.contacts or int(options["radius"]) < 4
        assert (empire.frame.local(home.at) == CENTRE) or not options["local_frames"]
        chart = {seen.at: seen.status for seen in empire.chart}
        assert set(chart) == set(disk(home.at, 2))
        assert chart[home.at] is Sighting.VISIBLE
    assert len({empire.code for empire in state.empires.values()}) == seats


@examples(15)
@given(SEATS, OPTIONS, DICE)
def test_wormnets_and_storms_keep_their_distances(
    seats: int, options: dict[str, int | str | bool], dice: Dice
) -> None:
    state = RULESET.setup(signups(seats), options, dice)
    for portal in state.portals.values():
        net = [state.portals[name] for name in portal.exits]
        assert 1 <= len(net) < max(2, int(options["wormnet_portals"]) - 1)
        assert all(distance(portal.at, other.at) >= 3 for other in net)
        assert all(portal.name in other.exits for other in net)
        assert all(distance(portal.at, home) >= 2 for home in homes(state))
    for storm in state.storms.values():
        assert all(distance(storm.at, home) >= 2 for home in homes(state))
    assert len(state.portals) <= 4 * int(options["wormnets"])


@examples(15)
@given(DICE)
def test_worlds_near_a_home_make_ten_together_and_others_at_most_seven(dice: Dice) -> None:
    state = RULESET.setup(signups(3), {"radius": 10, "world_density": 10}, dice)
    free = [world for world in state.worlds.values() if world.owner is None]
    assert all(1 <= world.production <= 9 and world.stockpile == 0 for world in free)
    for home in homes(state):
        near = [world.production for world in free if distance(world.at, home) <= 2]
        assert (len(near), sum(near)) == (2, 10)
    far = [w for w in free if all(distance(w.at, home) > 2 for home in homes(state))]
    assert all(world.production <= 7 for world in far)


@pytest.mark.parametrize("number", [1, 9])
def test_too_few_or_too_many_empires_make_no_galaxy(number: int) -> None:
    with pytest.raises(UserError):
        RULESET.setup(signups(number), {}, Dice(b"seed"))
