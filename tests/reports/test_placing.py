"""The layout of maps."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.reports.placing import Cell, cells, is_near, natural
from referee.rules.views import Chart, Link, Node
from tests.reports.webs import explored
from tests.support.examples import examples


@pytest.mark.parametrize("seed", range(2))
def test_a_drawn_place_never_moves(seed: int) -> None:
    exploration = explored(60, 10, seed)
    earlier: Mapping[str, Cell] = {}
    for turn in (1, 2, 5, 9, 10):
        now = cells(exploration.chart(turn))
        assert earlier.items() <= now.items()
        earlier = now
    assert len(earlier) > 45


def test_neighbours_are_near_each_other() -> None:
    chart = explored(80, 6, seed=4).chart(6)
    at = cells(chart)
    near = sum(is_near(at[link.one], at[link.other]) for link in chart.links)
    assert near > len(chart.links) * 3 // 4


def test_a_place_without_links_has_a_cell_too() -> None:
    chart = Chart((Node("W1", ()), Node("W2", ()), Node("W3", (), since=4)), ())
    assert len(set(cells(chart).values())) == 3


@examples(60)
@given(
    st.lists(
        st.builds(Node, st.text(max_size=2), st.just(()), since=st.integers(0, 3)), max_size=9
    ),
    st.lists(st.builds(Link, st.text(max_size=2), st.text(max_size=2)), max_size=9),
)
def test_any_chart_is_placed_however_its_links_lead(nodes: list[Node], links: list[Link]) -> None:
    at = cells(Chart(tuple(nodes), tuple(links)))
    assert at.keys() == {node.key for node in nodes}
    assert len(set(at.values())) == len(at)


def test_numbers_in_names_are_sorted_as_numbers() -> None:
    assert sorted(["W10", "W9", "F3", "W"], key=natural) == ["F3", "W", "W9", "W10"]
