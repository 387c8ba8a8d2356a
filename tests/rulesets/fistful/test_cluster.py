"""Tests of the star map generator: fair, connected, with a choice of homeworlds."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from statistics import mean

import pytest

from referee.rules.dice import Dice
from referee.rules.hexes import Hex, distance
from referee.rulesets.fistful.cluster import CAPACITIES, NORTH, SOUTH, make_cluster, mirror
from referee.rulesets.fistful.state import Star
from tests.support.examples import mostly_slow

SEEDS = range(12)


@cache
def cluster(seed: int) -> dict[int, Star]:
    return make_cluster(Dice(b"cluster %d" % seed))


def near(stars: dict[int, Star], star: Star) -> list[Star]:
    """Return the stars joined with *star* by transport lines (F17)."""
    return [each for each in stars.values() if 0 < distance(each.at, star.at) <= 3]


@pytest.mark.parametrize("seed", mostly_slow(SEEDS))
def test_the_stars_are_44_apart_from_each_other_on_the_map(seed: int) -> None:
    stars = cluster(seed)
    assert list(stars) == list(range(1, 45))
    assert all(1 <= star.row <= 32 and 1 <= star.column <= 16 for star in stars.values())
    gaps = [distance(a.at, b.at) for a in stars.values() for b in stars.values() if a is not b]
    assert min(gaps) == 2


@pytest.mark.sampled
@pytest.mark.parametrize("seed", SEEDS)
def test_both_players_have_the_same_map(seed: int) -> None:
    stars = cluster(seed).values()
    found = {star.at: star.capacity for star in stars}
    assert {mirror(at): capacity for at, capacity in found.items()} == found
    assert Counter(found.values()) == Counter(2 * CAPACITIES)


@pytest.mark.parametrize("seed", SEEDS)
def test_transports_can_go_from_every_star_to_every_other(seed: int) -> None:
    stars = cluster(seed)
    reached, front = {1}, [stars[1]]
    while front:
        fresh = [star for star in near(stars, front.pop()) if star.number not in reached]
        reached.update(star.number for star in fresh)
        front += fresh
    assert reached == set(stars)


@pytest.mark.parametrize("zone", [NORTH, SOUTH])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_home_zone_has_room_and_a_choice_of_homeworlds(seed: int, zone: range) -> None:
    stars = cluster(seed)
    home = [star for star in stars.values() if star.row in zone]
    assert len(home) >= 10
    assert any(star.row <= 3 or star.row >= 30 for star in home)
    assert len(list(_rich(stars, home))) >= 2


def _rich(stars: dict[int, Star], home: list[Star]) -> Iterator[Star]:
    for star in home:
        around = [each.capacity for each in near(stars, star)]
        if star.capacity == 5 and len(around) >= 3 and sum(around) >= 7:
            yield star


@pytest.mark.slow
def test_a_star_has_about_four_neighbours_and_a_home_zone_about_twelve_stars() -> None:
    degrees = [len(near(cluster(seed), s)) for seed in SEEDS for s in cluster(seed).values()]
    zones = [sum(s.row in NORTH for s in cluster(seed).values()) for seed in SEEDS]
    assert 3.7 < mean(degrees) < 4.3
    assert 11 < mean(zones) < 13.5


def test_the_seed_decides_the_map() -> None:
    assert make_cluster(Dice(b"cluster 1")) == cluster(1)
    assert cluster(1) != cluster(2)


@pytest.mark.parametrize("one", [Hex(1, 1), Hex(7, 16), Hex(32, 5)])
def test_the_mirror_keeps_distances(one: Hex) -> None:
    for row in range(1, 33):
        for column in range(1, 17):
            other = Hex(row, column)
            assert distance(mirror(one), mirror(other)) == distance(one, other)
