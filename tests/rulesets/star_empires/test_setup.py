"""Tests of the drawn homeworlds and codes."""

from hypothesis import given
from hypothesis import strategies as st

from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.star_empires import RULESET
from referee.rulesets.star_empires.sectors import Sector, distance, ring
from referee.rulesets.star_empires.setup import drawn_codes, drawn_homes
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
