"""The widths of words, and text that is broken to fit."""

from hypothesis import given
from hypothesis import strategies as st

from referee.reports.lettering import SMALL, pieces, width, wrapped


@given(st.text(), st.floats(10, 200))
def test_wrapped_text_has_all_letters_and_fits(text: str, most: float) -> None:
    lines = wrapped(text, SMALL, most)
    printed = "".join(c for c in text if c.isprintable() and not c.isspace())
    assert "".join(lines).replace(" ", "") == printed
    assert all(width(line, SMALL) <= most or len(line) == 1 for line in lines)


def test_a_word_is_broken_only_if_it_is_too_wide() -> None:
    assert pieces("W123", SMALL, width("W123", SMALL)) == ["W123"]
    assert "".join(pieces("W123456", SMALL, 20)) == "W123456"
    assert len(pieces("W123456", SMALL, 20)) > 1


def test_blanks_are_as_wide_as_they_are_drawn() -> None:
    assert width("a b", SMALL) > width("ab", SMALL) + 3
