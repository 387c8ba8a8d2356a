"""Lines as typed, with typography undone and columns kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.lines import Foreign, Line, fold, foreign, latinised, numbered


@pytest.mark.parametrize(
    ("typed", "text", "columns"),
    [
        ("F3W5", "F3W5", (1, 2, 3, 4, 5)),
        ("F3\u00a0W5", "F3 W5", (1, 2, 3, 4, 5, 6)),
        ("F3\u2009\tW5", "F3  W5", (1, 2, 3, 4, 5, 6, 7)),
        ("\ufeffF\u200b3\u202eW5", "F3W5", (2, 4, 6, 7, 8)),
        ("\uff26\uff13\uff37\uff15", "F3W5", (1, 2, 3, 4, 5)),
        ("\U0001d405\U0001d7d1", "F3", (1, 2, 3)),
        ("A\uff1dHATYSA", "A=HATYSA", (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        ("\u201cSW\u2011555\u201d", '"SW-555"', (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        ("a\x00b\x1b", "ab", (1, 3, 5)),
        ("F3\ufe0f", "F3", (1, 2, 4)),
        ("", "", (1,)),
    ],
)
def test_typography_folds_and_columns_stay(typed: str, text: str, columns: tuple[int, ...]) -> None:
    folded = fold(typed)
    assert (folded.text, tuple(folded.columns)) == (text, columns)


def test_a_footnote_does_not_become_a_number() -> None:
    assert fold("F3\u00b2").text == "F3\u00b2"


@given(st.text())
def test_every_character_keeps_a_column_in_the_line(typed: str) -> None:
    folded = fold(typed)
    assert len(folded.columns) == len(folded.text) + 1
    assert list(folded.columns) == sorted(folded.columns)
    assert folded.columns[-1] == len(typed) + 1


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("F3W5", None),
        ("J\u00fcrgen", None),
        ("\u042075", Foreign(0, "Cyrillic letter Er", "P")),
        ("W\u0395", Foreign(1, "Greek letter Epsilon", "E")),
        ("F\u0416", Foreign(1, "Cyrillic letter Zhe", "")),
    ],
)
def test_a_letter_of_another_alphabet_is_named(text: str, letter: Foreign | None) -> None:
    assert foreign(text) == letter


def test_look_alikes_become_latin() -> None:
    assert latinised("\u042075\u04223\u0406") == "P75T3I"


def test_lines_are_numbered_from_one() -> None:
    assert numbered("a\r\nb\n\nc") == (Line(1, "a"), Line(2, "b"), Line(3, ""), Line(4, "c"))
