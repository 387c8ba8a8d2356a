"""The differences between two reports: changed parts are shown whole, the rest not at all."""

from hypothesis import given
from hypothesis import strategies as st

from referee.reports.changes import changes
from referee.reports.text import text
from referee.rules.views import Chart, Link, Node, Prose, Table, Verbatim

BEFORE = """\
Game SW-1, Turn 2, [FRODO]

[FRODO]: Empire Builder
   (Score=37,Worlds=1)

   ------------

W7 (9,21) [FRODO] (Industry=30,
      Turns=2)
   F6[FRODO]=0
   F9[FRODO]=0
W8 (9)
W9 (7)

Orders=1 <errors and comments in angle-brackets>:
====================
ENDING 8000
====================
Due Friday"""
AFTER = """\
Game SW-1, Turn 3, [FRODO]

[FRODO]: Empire Builder
   (Score=37,Worlds=1)

   ------------

W7 (9,21) [FRODO] (Industry=30,
      Turns=2)
   F6[FRODO]=0
   F9[FRODO]=3
W9 (7)

Orders=1 <errors and comments in angle-brackets>:
====================
F9W7
====================
Due Friday"""
DIFFERING = """\
Game SW-1, Turn 3, [FRODO]
W7 (9,21) [FRODO] (Industry=30,
      Turns=2)
   F6[FRODO]=0
   F9[FRODO]=3
Orders=1 <errors and comments in angle-brackets>:
====================
F9W7
====================

No longer here: W8."""
LINES = st.lists(
    st.sampled_from(["W1 ()", "W2 [X]", "   F1[X]=1", "   F2[X]=1", "", "=" * 12, "Due"])
).map("\n".join)


def test_records_that_differ_are_shown_whole() -> None:
    assert text(changes((Verbatim(BEFORE),), (Verbatim(AFTER),))) == DIFFERING


def test_changed_rows_of_a_table_are_shown_under_its_headings() -> None:
    old = Table(("Player", "Score"), (("MARS", "1"), ("CERES", "2"), ("IO", "3")), "Standing")
    new = Table(("Player", "Score"), (("MARS", "1"), ("CERES", "5")), "Standing")
    shown = Table(("Player", "Score"), (("CERES", "5"),), "Standing")
    assert changes((old,), (new,)) == (shown, Prose("No longer here: IO."))


def test_changed_places_of_a_map_are_shown_with_their_links() -> None:
    nodes = tuple(Node(key, ()) for key in "ABC")
    old = Chart(nodes, (Link("A", "B"),))
    new = Chart(nodes, (Link("A", "B"), Link("B", "C")))
    assert changes((old,), (new,)) == (Chart(nodes[1:], (Link("A", "B"), Link("B", "C"))),)


def test_a_new_part_is_shown_whole() -> None:
    block = Prose("The end is near.", "News")
    assert changes((Prose("Nothing."),), (Prose("Nothing."), block)) == (block,)


@given(LINES)
def test_two_equal_reports_have_no_differences(report: str) -> None:
    same = (Verbatim(report),)
    assert changes(same, same) == (Prose("Nothing differs from the report before."),)


@given(LINES, LINES)
def test_every_line_shown_is_in_the_report(before: str, after: str) -> None:
    shown = changes((Verbatim(before),), (Verbatim(after),))
    lines = [line for b in shown if isinstance(b, Verbatim) for line in b.text.split("\n")]
    assert set(lines) <= set(after.split("\n"))
