"""The advice for words that are not an order."""

from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.advice import is_typo
from referee.parsing.items import Unparsed
from referee.parsing.reader import Reader
from referee.rules.ruleset import Separator
from tests.parsing.toy import language

BLANKS = Reader(language())
LINES = Reader(language(Separator.LINES))
LETTERS = st.sampled_from(ascii_uppercase)
WORDS = st.text(LETTERS, min_size=3, max_size=9)


@pytest.mark.parametrize(
    ("typed", "column", "reason", "advice"),
    [
        ("A01-ROM", 2, "A number has no leading zeros.", "Write A1-ROM."),
        ("A1O-ROM", 3, "This is the letter O, not a zero.", "Write A10-ROM."),
        ("A1-ROMREST", 7, "Another order starts after A1-ROM.", "Write A1-ROM REST with a space."),
        ("A1ROM", 3, "Expected - after A1, but found ROM.", "Did you mean A1-ROM?"),
        ("A1--ROM", 4, "where to?", ""),
        ("A0-ROM", 2, "There is no A0. Numbers begin at 1.", ""),
        ("AX-ROM5", 1, "Expected a code like A5, but found AX-ROM5.", ""),
        ("R3ST", 1, "Expected REST, but found R3ST.", ""),
        ("A-1-ROM", 2, "A number has no sign and no marks in it.", ""),
        ("REST0", 5, "A number here must be at least 1.", ""),
        ("RESTT", 1, "Unknown word RESTT.", "Did you mean REST?"),
        ("Q7", 1, "No order starts with Q.", ""),
        ("\u04101-ROM", 1, "This is the Cyrillic letter A, which looks like A.",
         "Write A1-ROM in Latin letters."),
        ("\u04161-ROM", 1, "This is the Cyrillic letter Zhe.", ""),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_fix(typed: str, column: int, reason: str, advice: str) -> None:
    (item,) = BLANKS.read(typed)
    assert isinstance(item, Unparsed)
    assert (item.column, item.reason, item.advice) == (column, reason, advice)


def test_a_word_after_an_order_is_answered_with_it() -> None:
    (stray,) = BLANKS.read("REST ROM")
    advice = "Until it is fixed, the other order on this line is not read."
    assert stray == Unparsed(
        "ROM", 1, 6, "This is not an order.", advice, others=1, to_send=("ADD REST",)
    )


def test_a_misspelt_word_keeps_what_follows_it() -> None:
    (item,) = LINES.read("RESST 4")
    assert item == Unparsed("RESST 4", 1, 1, "Unknown word RESST.", "Did you mean REST 4?")


@given(WORDS, LETTERS, st.data())
def test_one_letter_more_less_or_other_is_a_typo(word: str, more: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    assert is_typo(word[:at] + more + word[at:], word)
    assert is_typo(word[:at] + word[at + 1 :], word)
    other = word[:at] + more + word[at + 1 :]
    assert is_typo(other, word) is (other != word)


@given(WORDS, st.data())
def test_two_letters_swapped_are_a_typo(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 2))
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    assert is_typo(swapped, word) is (swapped != word)


@given(WORDS, st.text(LETTERS, min_size=2, max_size=3))
def test_two_letters_more_are_no_typo(word: str, more: str) -> None:
    assert not is_typo(word + more, word)
