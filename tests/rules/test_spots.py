"""The spots of hexes."""

from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.spots import axial, corner, flat, pointy
from referee.rules.views import Grid, Spot

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
COORDINATES = st.integers(-99, 99)


@pytest.mark.parametrize("way", [pointy, flat])
def test_the_six_neighbours_are_one_away(way: object) -> None:
    middle = (pointy if way is pointy else flat)(3, -2)
    for q, r in STEPS:
        other = (pointy if way is pointy else flat)(3 + q, -2 + r)
        assert dist((middle.x, middle.y), (other.x, other.y)) == pytest.approx(1, abs=0.002)


def test_pointy_hexes_lie_in_rows_and_flat_ones_in_columns() -> None:
    assert pointy(2, 0, "A") == Spot("A", 2.0, 0.0)
    assert pointy(0, 2) == Spot("", 1.0, 1.732)
    assert flat(0, 2) == Spot("", 0.0, 2.0)
    assert flat(2, 0) == Spot("", 1.732, 1.0)


@given(COORDINATES, COORDINATES)
def test_a_spot_belongs_to_its_hex(q: int, r: int) -> None:
    assert axial(pointy(q, r), Grid.POINTY_HEXES) == (q, r)
    assert axial(flat(q, r), Grid.FLAT_HEXES) == (q, r)


def test_three_hexes_meet_at_a_corner() -> None:
    north = corner(pointy(0, 0), 0)
    around = (pointy(0, 0), pointy(1, -1), pointy(0, -1))
    distances = [dist((north.x, north.y), (each.x, each.y)) for each in around]
    assert distances == pytest.approx([0.577] * 3, abs=0.002)
    assert corner(pointy(0, 0), 1).x == 0.5
