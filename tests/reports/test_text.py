"""Views as text."""

from hypothesis import given
from hypothesis import strategies as st

from referee.reports.text import WIDTH, text
from referee.rules.views import (
    Chart,
    Link,
    Mark,
    Node,
    Prose,
    Sighting,
    Table,
    Unit,
    UnitKind,
    Verbatim,
)
from tests.support.examples import examples

WORDS = st.text(max_size=150)
BLOCKS = st.one_of(
    st.builds(Prose, WORDS, WORDS),
    st.builds(
        Table,
        st.lists(WORDS, max_size=8).map(tuple),
        st.lists(st.lists(WORDS, max_size=8).map(tuple), max_size=5).map(tuple),
    ),
    st.builds(
        Chart,
        st.lists(
            st.builds(Node, WORDS, st.lists(WORDS).map(tuple), sighting=st.sampled_from(Sighting)),
            max_size=4,
        ).map(tuple),
        st.lists(st.builds(Link, WORDS, WORDS), max_size=4).map(tuple),
    ),
)


def test_prose_is_wrapped_and_paragraphs_stay_apart() -> None:
    view = (Prose("One two three. " * 8 + "\n\nFour.", title="NEWS"),)
    assert text(view).split("\n") == [
        "NEWS",
        "One two three. One two three. One two three. One two three. One two",
        "three. One two three. One two three. One two three.",
        "",
        "Four.",
    ]


def test_numbers_are_right_aligned_in_their_column() -> None:
    table = Table(
        ("Player", "Score", "Note"), (("CERES", "8790", "1 key"), ("HATYSA", "10250", "")), "SCORES"
    )
    assert text((table,)).split("\n") == [
        "SCORES",
        "Player  Score  Note",
        "------  -----  -----",
        "CERES    8790  1 key",
        "HATYSA  10250",
    ]


def test_a_cell_that_is_too_wide_is_wrapped_in_its_column() -> None:
    drawn = text((Table(("Who", "What"), (("CERES", "captured " * 12),)),)).split("\n")
    assert drawn[2] == f"CERES  {'captured ' * 7}captured"[:78].rstrip()
    assert drawn[3].startswith("       captured")


def test_a_table_without_columns_is_empty() -> None:
    assert text((Table((), ()),)) == ""


def test_verbatim_is_exact() -> None:
    printout = "W1 (2,3)\n   F3[CERES]=1  \n\n\n(F4[]=0)"
    assert text((Verbatim(printout), Prose("After."))) == f"{printout}\n\nAfter."


def test_a_chart_is_written_place_by_place() -> None:
    nodes = (
        Node("W9", ("12 mines", "F3"), "CERES"),
        Node("W10", (), sighting=Sighting.UNEXPLORED),
        Node("W2", (), sighting=Sighting.REMEMBERED),
    )
    links = (Link("W9", "W10"), Link("W2", "W9"), Link("W9", "W2"))
    assert text((Chart(nodes, links, "THE WEB"),)).split("\n") == [
        "THE WEB",
        "Place  Owner  There         Ways",
        "-----  -----  ------------  -------",
        "W2*                         W9",
        "W9     CERES  12 mines, F3  W2 W10?",
        "",
        "* not seen this turn",
        "",
        "? unexplored: W10",
    ]


def test_marks_and_units_are_written_by_owner() -> None:
    units = (
        Unit("F3", "MARS", UnitKind.FLEET),
        Unit("F7", "CERES", UnitKind.FLEET),
        Unit("F9", "MARS", UnitKind.FLEET),
        Unit("?", "", UnitKind.UNKNOWN, force="2 ships"),
        Unit("F4", "", UnitKind.FLEET),
    )
    node = Node("W9", ("12 mines",), "CERES", marks=(Mark.HOME, Mark.PORTAL), units=units)
    (*_, row) = text((Chart((node,), ()),)).split("\n")
    assert row.split("  ")[-1] == "home, portal, 12 mines, F7, MARS: F3 F9, ? 2 ships, F4"


def test_a_view_of_nothing_is_empty() -> None:
    assert text(()) == ""
    assert text((Prose(""),)) == ""


@examples(60)
@given(st.lists(BLOCKS, max_size=4).map(tuple))
def test_any_view_fits_in_the_width(view: tuple[Prose | Table | Chart, ...]) -> None:
    assert all(len(line) <= WIDTH for line in text(view).split("\n"))
