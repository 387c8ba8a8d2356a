"""A typo is one wrong letter, and no more than one."""

from string import ascii_uppercase

from hypothesis import given
from hypothesis import strategies as st

from referee.parsing.typos import is_typo

LETTERS = st.sampled_from(ascii_uppercase)
WORDS = st.text(LETTERS, min_size=3, max_size=9)


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
