"""The differences between the records of two turns."""

import json

from hypothesis import given
from hypothesis import strategies as st

from referee.reports.atlas_deltas import text_delta
from tests.reports.atlas_pages import applied
from tests.support.examples import examples

LINES = st.lists(
    st.sampled_from(["W1 (Metal=5)", "W1 (Metal=07)", "W1 (Metal=70)", "F3=4", "", "x"])
)
TEXTS = st.one_of(st.text(), LINES.map("\n".join))


@examples(300)
@given(TEXTS, TEXTS)
def test_a_difference_gives_the_new_text(before: str, after: str) -> None:
    delta = json.loads(json.dumps(text_delta(before, after)))
    assert applied(before, delta) == after


def test_only_what_has_changed_is_in_a_difference() -> None:
    before = "W1 (Metal=5,Turns=9)\n   F3=4"
    assert text_delta(before, before) == 0
    assert text_delta(before, "W1 (Metal=16,Turns=10)\n   F3=4") == [-1, 3, 16, 5, 10]
    assert text_delta(before, "W1 (Metal=16,Turns=9)\n   F7[X]=1") == [[0, 3, 16], "   F7[X]=1"]
    assert text_delta(before, "gone") == "gone"


def test_a_number_keeps_its_digits() -> None:
    assert text_delta("5", "007") == [-1, 1, "007"]
    assert text_delta("5", "9" * 20) == [-1, 1, "9" * 20]
