"""Look-alikes: letters of other alphabets that people take for Latin ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.look_alikes import look_alike, looks_like, mixes_alphabets, poses_as_latin

FRODO = "\u0420\u0443\u0434\u043e\u043b\u044c\u0444"
"""Rudolf in Russian."""
SAM = "\u0421\u0410\u041c"
"""Three Cyrillic letters that look like Latin ones."""


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Sam  Gamgee", "sam gamgee"),
        (SAM, "cam"),
        ("Ｓａｍ", "sam"),
        ("S\u200bam", "sam"),
        ("Réferée", "referee"),
        ("\u0401va", "eva"),
        (FRODO, "py\u0434o\u043b\u044c\u0444"),
    ],
)
def test_what_a_name_looks_like(text: str, seen: str) -> None:
    assert looks_like(text) == seen


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana AIpha", "Ana Alpha"),
        ("ana aIpha", "ANA ALPHA"),
        ("lris", "IRIS"),
        ("E|i", "ELI"),
        ("Ian", "IAN"),
        ("Mary-Lou", "Mary Lou"),
        ("J0HN", "John"),
        ("5AM_", "Sam"),
        ("Barney", "Bamey"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(("one", "other"), [("Lian", "Ilan"), ("Mila", "Milla"), ("-", "...")])
def test_names_that_do_not_look_alike(one: str, other: str) -> None:
    assert not look_alike(one, other)


@pytest.mark.parametrize("text", [f"Sam {SAM}", "S\u0430m", "G\u039c", "Fr\u03bfdo", "\u0531nna"])
def test_mixed_alphabets_are_found(text: str) -> None:
    assert mixes_alphabets(text)


@pytest.mark.parametrize(
    "text", [SAM, "\u0391\u039d\u039d\u0391", "Ｓam", "\U0001d412am", "\u212aim", "A\u0274a"]
)
def test_a_name_that_poses_as_latin_is_found(text: str) -> None:
    assert poses_as_latin(text)


@pytest.mark.parametrize(
    "text",
    [
        *("Frodo Baggins", "José Núñez", "Åsa Öström", "Yılmaz", "Łukasz", FRODO, "山田 太郎", ""),
        *("Νίκος Παπαδόπουλος", "Олена", "Søren", "Đorđe", "Þóra", "Ștefan"),
    ],
)
def test_names_of_one_alphabet_are_free(text: str) -> None:
    assert not mixes_alphabets(text)
    assert not poses_as_latin(text)


@given(st.text())
def test_any_text_can_be_judged(text: str) -> None:
    assert looks_like(looks_like(text)) is not None
    assert isinstance(mixes_alphabets(text) or poses_as_latin(text), bool)
