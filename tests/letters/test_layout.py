"""How a fault is set in a letter of 78 columns, and how paragraphs are."""

import textwrap

from hypothesis import example, given
from hypothesis import strategies as st

from referee.letters.layout import fault, fill
from referee.letters.notices import Fault

WORDS = st.lists(st.text("aé-.", min_size=1, max_size=12) | st.just("x" * 100), max_size=40)


def test_a_fault_of_no_line_is_a_paragraph_of_its_own() -> None:
    reason = "On this server only certain addresses may create games. Ask the operator."
    assert fault(Fault(0, "", reason)).splitlines() == [
        "  On this server only certain addresses may create games. Ask the",
        "  operator.",
    ]


@given(WORDS, st.integers(0, 40), st.integers(0, 4))
@example(["x" * 72, "x" * 72, "x" * 73], 0, 0)
def test_a_paragraph_is_set_as_the_standard_library_sets_one(
    words: list[str], indent: int, hang: int
) -> None:
    margin = " " * indent
    expected = textwrap.wrap(
        " ".join(words),
        72,
        initial_indent=margin,
        subsequent_indent=margin + " " * hang,
        break_on_hyphens=False,
    )
    assert fill(" ".join(words), indent, hang).split("\n") == [
        line.rstrip() for line in expected or [""]
    ]


@given(st.text(st.sampled_from("a \u200b\u00a0"), max_size=300), st.integers(0, 60))
def test_invisible_characters_break_no_paragraph(text: str, indent: int) -> None:
    lines = fill(text, indent).split("\n")
    assert "".join(lines).replace(" ", "") == "a" * text.count("a")
    assert max(map(len, lines)) <= 78
