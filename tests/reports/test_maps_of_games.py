"""The maps of golden games: directions, labels that can be read, and nothing left out."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import atan2, degrees, sqrt
from typing import Any, Final

import pytest

from referee.reports import symbols
from referee.reports.picture import png, svg
from referee.reports.placing import cells, cross, is_near
from referee.reports.shapes import Point
from referee.reports.sketch import sketch
from referee.rules.ruleset import Seat
from referee.rules.views import Chart, Table
from tests.reports import drawn
from tests.support.examples import is_few
from tests.support.golden_states import KEYS, games, ruleset, states

GAMES: Final = [(key, name) for key in KEYS for name in games(key)]
OFTEN: Final = {"fifteen": 13, "fog": 12, "single": 8, "six": 12, "peace": -1}
"""The turn whose map the fast tests draw, by the names of games."""
LARGEST: Final = 400_000
"""The most octets of a picture that is sent by email."""


@dataclass(frozen=True)
class Drawn:
    """The map of a seat in a state of a golden game."""

    key: str
    state: Any
    seat: Seat
    chart: Chart


@lru_cache(maxsize=4)
def maps(key: str, name: str, turns: tuple[int, ...]) -> tuple[Drawn, ...]:
    """Return the maps of a game in some turns: of the first seat, and of the last in several."""
    played = states(key, name)
    return tuple(
        Drawn(key, state, seat, ruleset(key).chart(state, seat))
        for state in [played[turn % len(played)] for turn in turns]
        for seat in sorted(state.players)[:: len(state.players) - 1][: len(turns)]
    )


TURNS: Final = (-1,) if is_few() else (1, 8, -1)
MANY: Final = [
    pytest.param(k, n, TURNS, id=f"{k}-{n}-many", marks=pytest.mark.slow) for k, n in GAMES
]
EVERY: Final = [
    *(pytest.param(k, n, (OFTEN[n],), id=f"{k}-{n}") for k, n in GAMES if n in OFTEN),
    *MANY,
]
on_maps = pytest.mark.parametrize(("key", "name", "turns"), EVERY)
on_places = pytest.mark.parametrize(
    ("key", "name", "turns"), [each for each in EVERY if each.values[0] != "starweb"]
)
"""The maps of games whose rules have coordinates."""


# ---- Directions --------------------------------------------------------------


def vectors(each: Drawn) -> Iterator[tuple[str, str, Point]]:
    """Yield pairs of names on a map, and the way from one to the other by the rules.

    The way is to the right and down, in hexes.
    """
    yield from _VECTORS[each.key](each)


def _fistful(each: Drawn) -> Iterator[tuple[str, str, Point]]:
    """Every second row is half a hex to the right; row 1 is in the north."""
    for one, other in combinations(each.state.stars.values(), 2):
        right = other.column - one.column + (one.row % 2 - other.row % 2) / 2
        yield f"W{one.number}", f"W{other.number}", (right, (other.row - one.row) * sqrt(3) / 2)


_NUMBERED: Final[dict[int, Point]] = {
    1: (0.5, -sqrt(3) / 2),
    2: (1, 0),
    3: (0.5, sqrt(3) / 2),
    4: (-0.5, sqrt(3) / 2),
    5: (-1, 0),
    6: (-0.5, -sqrt(3) / 2),
}
"""The directions from 1, north-east, clockwise to 6, north-west."""


def _singularity(each: Drawn) -> Iterator[tuple[str, str, Point]]:
    board = each.state.rules.board
    for at in board.spaces():
        for direction, vector in _NUMBERED.items():
            to = board.moved(at, direction, 0, 1)
            if to is not None:
                yield board.written(at), board.written(to), vector


def _starfarers(each: Drawn) -> Iterator[tuple[str, str, Point]]:
    """Use the numbers in the report's column: next hexes by direction."""
    for block in ruleset("starfarers").view(each.state, each.seat, ""):
        if not isinstance(block, Table) or not block.columns[-1].startswith("Next hexes"):
            continue
        for row in block.rows:
            if row[-1] != "-":
                for direction, number in (way.split(":") for way in row[-1].split()):
                    yield row[0], f"H{number}", _NUMBERED[int(direction)]


def _star_empires(each: Drawn) -> Iterator[tuple[str, str, Point]]:
    """From (0,0), (0,1) is north and (1,1) north-east."""
    named = {(g.spot.x, g.spot.y): g.name for g in each.chart.ground}
    found = {(int(o), int(y)) for o, y in (name[1:-1].split(",") for name in named.values())}
    for oblique, y in found:
        for (right, up), way in {
            (0, 1): (0.0, -1.0),
            (1, 1): (sqrt(3) / 2, -0.5),
            (1, 0): (sqrt(3) / 2, 0.5),
        }.items():
            if (oblique + right, y + up) in found:
                yield f"({oblique},{y})", f"({oblique + right},{y + up})", way


_VECTORS: Final = {
    "fistful": _fistful,
    "singularity": _singularity,
    "starfarers": _starfarers,
    "star_empires": _star_empires,
}


@pytest.mark.slow
@on_places
def test_everything_lies_in_the_direction_that_the_rules_say(
    key: str, name: str, turns: tuple[int, ...]
) -> None:
    count = 0
    for each in maps(key, name, turns):
        hexes, wrong = drawn.hexes(sketch(each.chart, ())), []
        for one, other, vector in vectors(each):
            if one in hexes and other in hexes:
                (x, y), (to_x, to_y) = hexes[one], hexes[other]
                angle = atan2(to_y - y, to_x - x) - atan2(vector[1], vector[0])
                turned = abs((degrees(angle) + 180) % 360 - 180)
                wrong += [(one, other, turned)] if turned > 2 else []
                count += 1
        assert wrong == []
    assert count > 30


@pytest.mark.sampled
@on_places
def test_every_link_is_drawn_as_its_places_lie(key: str, name: str, turns: tuple[int, ...]) -> None:
    for each in maps(key, name, turns):
        chart, hexes = each.chart, drawn.hexes(sketch(each.chart, ()))
        names = {ground.spot: ground.name for ground in chart.ground if ground.name}
        spots = {node.key: node.spot for node in chart.nodes if node.spot is not None}
        scales: set[int] = set()
        for link in chart.links:
            one, other = spots[link.one], spots[link.other]
            (x, y), (to_x, to_y) = (
                hexes[names.get(spot, key)] for spot, key in ((one, link.one), (other, link.other))
            )
            right, down = other.x - one.x, other.y - one.y
            if one.panel == other.panel:
                size = right * right + down * down
                scales.add(round(((to_x - x) * right + (to_y - y) * down) / size))
                assert abs((to_x - x) * down - (to_y - y) * right) / size < 1
        # The links are as long as they are by the rules, all in one scale.
        assert len(scales) <= 1


# ---- Labels ------------------------------------------------------------------


@pytest.mark.sampled
@on_maps
def test_no_labels_overlap_and_none_leaves_its_place(
    key: str, name: str, turns: tuple[int, ...]
) -> None:
    for each in maps(key, name, turns):
        picture = sketch(each.chart, ())
        assert drawn.overlapping(picture) == []
        assert drawn.off_paper(picture) == []
        assert drawn.sticking_out(picture) == []
        assert drawn.covered(picture) == []


@pytest.mark.sampled
@on_maps
def test_all_that_is_known_is_written_in_its_place_or_in_the_key(
    key: str, name: str, turns: tuple[int, ...]
) -> None:
    for each in maps(key, name, turns):
        picture = sketch(each.chart, ())
        texts, below = drawn.texts(picture), drawn.key(picture)
        for node in each.chart.nodes:
            said = [node.key, *node.lines, *(u.key for u in node.units if u.spot is None)]
            parts = [part for text in said for part in text.split()]
            there = [text for text in texts if node.key.replace(" ", "") in text]
            entries = [below] if f"{node.key}:".replace(" ", "") in below else []
            assert any(all(part in text for part in parts) for text in (*there, *entries)), node
        beside = [unit for node in each.chart.nodes for unit in node.units if unit.spot is not None]
        assert [unit for unit in beside if not any(unit.key in text for text in texts)] == []


@on_maps
def test_every_owner_is_named_by_a_letter_and_not_only_by_a_colour(
    key: str, name: str, turns: tuple[int, ...]
) -> None:
    for each in maps(key, name, turns):
        picture, liveries = sketch(each.chart, ()), symbols.liveries(each.chart, ())
        letters, texts = drawn.letters(picture), drawn.texts(picture)
        for node in each.chart.nodes:
            owners = {node.owner, *(unit.owner for unit in node.units if unit.spot is None)} - {""}
            wanted = {liveries[owner].letter for owner in owners}
            there = [n for n, text in enumerate(texts) if node.key.replace(" ", "") in text]
            # What does not fit is in the key, with the names of its owners.
            numbered = f"{node.key}:".replace(" ", "") in drawn.key(picture)
            if numbered:
                wanted = {liveries[node.owner].letter} - {""} if node.owner else set()
            assert any(wanted <= letters[n] for n in there), node


def test_few_ways_cross_in_a_web() -> None:
    (each,) = maps("starweb", "fifteen", (-1,))
    at = cells(each.chart)
    ways = [(at[link.one], at[link.other]) for link in each.chart.links]
    ways = [way for way in ways if is_near(*way)]
    crossings = sum(cross(*one, *other) for one, other in combinations(ways, 2))
    assert len(ways) > 200
    assert crossings < len(ways) / 8


@pytest.mark.sampled
@pytest.mark.parametrize(("key", "name", "turns"), MANY)
def test_pictures_are_small_enough_for_email(key: str, name: str, turns: tuple[int, ...]) -> None:
    for each in maps(key, name, turns):
        assert max(len(svg(each.chart, ())), len(png(each.chart, ()))) < LARGEST
