"""The work for an atlas: it grows at most with the number of turns, counted in calls."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import FrameType

import pytest

from referee.reports.atlas_records import SeenTurn, records
from tests.support.seen_turns import GAMES, seen


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called or go on in *work*: this is the same on any machine."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def aged(turns: Sequence[SeenTurn], number: int) -> list[SeenTurn]:
    """Return so many turns of a game that sees the same ones again and again."""
    return [replace(turns[n % len(turns)], number=n + 1) for n in range(number)]


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=[] if key == "fistful" else pytest.mark.slow) for key in GAMES]
)
def test_an_atlas_is_at_most_linear_in_the_age_of_its_game(key: str) -> None:
    turns = seen(key, 1, 10)
    ten, twenty, forty = (calls(partial(records, aged(turns, n))) for n in (10, 20, 40))
    assert twenty <= 2.2 * ten
    assert forty <= 2.2 * twenty
