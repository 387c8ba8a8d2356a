"""Tokens: only what we signed is recognised, and only where the register allows it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.tokens import (
    TOKENS,
    Kind,
    Place,
    Token,
    named_after,
    named_in,
    seal,
    shows_token,
    sign,
    verify,
)

KEY = b"k" * 32
serials = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=40)


def of_kind(kind: Kind) -> st.SearchStrategy[Token]:
    numbers = (st.integers(0, 256**width - 1) for width in TOKENS[kind].widths)
    return st.builds(Token, st.just(kind), *numbers, serials)


tokens = st.sampled_from(Kind).flatmap(of_kind)


def signed(token: Token, key: bytes = KEY) -> str:
    """Return the token in the first place where it may be."""
    return sign(token, next(iter(token.rule.places)), key)


@pytest.mark.parametrize("kind", Kind)
def test_a_token_is_signed_only_for_the_places_in_its_row(kind: Kind) -> None:
    for place in Place:
        if place in TOKENS[kind].places:
            assert sign(Token(kind, 1), place, KEY)
        else:
            with pytest.raises(ValueError, match=kind.name):
                sign(Token(kind, 1), place, KEY)


@given(tokens)
def test_a_signed_token_is_recognised(token: Token) -> None:
    assert verify(signed(token), KEY) == token


@given(tokens)
def test_a_token_in_capitals_is_recognised(token: Token) -> None:
    assert verify(signed(token).upper(), KEY) == token


@given(tokens, st.binary(min_size=1, max_size=40).filter(lambda key: key != KEY))
def test_a_token_signed_with_another_key_is_rejected(token: Token, key: bytes) -> None:
    assert verify(signed(token, key), KEY) is None


@given(tokens, st.integers(0, 200), st.sampled_from("abcdefghijklmnopqrstuvwxyz0123456789-"))
def test_a_changed_token_is_rejected(token: Token, place: int, letter: str) -> None:
    text = signed(token)
    place %= len(text)
    changed = text[:place] + letter + text[place + 1 :]
    assert verify(changed, KEY) == (token if changed == text else None)


@given(tokens)
def test_a_message_id_shows_its_letter_and_is_no_token(token: Token) -> None:
    text = signed(token)
    name = named_after(text, KEY)
    assert verify(name, KEY) is None
    assert not shows_token(name, KEY)
    named = token if Place.MESSAGE_ID in token.rule.places else None
    assert [named_in(each, KEY) for each in (name, name.upper())] == [named] * 2
    assert named_in(text, KEY) is None
    assert named_in(name, b"x" * 32) is None
    if named is not None:
        assert sign(named, Place.MESSAGE_ID, KEY) == name
    assert len(name) == len(text)


@given(st.text())
def test_random_text_is_not_a_token(text: str) -> None:
    assert verify(text, KEY) is None


@given(
    tokens,
    st.sampled_from(["{}", "games+{}@x.example,", "<{}@x>", "({})", "re: {}!", "*{}*", "xs1-{}"]),
    st.integers(1, 30),
    st.sampled_from(["", "\n", "\n> ", "\u200b", " ", "=\n"]),
)
def test_a_token_is_found_in_every_form(token: Token, around: str, place: int, broken: str) -> None:
    text = signed(token)
    written = around.format(text[:place] + broken + text[place:])
    assert shows_token(f"My address is {written} here.", KEY)


@given(st.text())
def test_no_token_is_found_in_text_without_one(text: str) -> None:
    assert not shows_token(text, KEY)


def test_a_token_fits_an_address() -> None:
    token = Token(Kind.SEAT, 10**6, 12, letter="reminder99x259200")
    assert len("games+" + signed(token)) <= 64


@given(st.lists(tokens, min_size=2, max_size=2, unique_by=lambda token: signed(token)))
def test_tokens_that_differ_in_anything_have_nothing_in_common(pair: list[Token]) -> None:
    """A number that is one higher shows neither that it is, nor in which place."""
    one, other = (signed(token) for token in pair)
    assert len(one) == len(other) == 42
    alike = sum(mine == theirs for mine, theirs in zip(one[2:], other[2:], strict=True))
    # Of 48 letters by chance, each one of 32.
    assert alike < 16


@given(tokens, tokens)
def test_every_letter_and_every_house_has_its_own_seal(one: Token, other: Token) -> None:
    of_one = seal(f"<{signed(one)}@referee.example>", KEY)
    assert of_one == seal(f"{signed(one)}@referee.example", KEY)
    assert (of_one == seal(f"{signed(other)}@referee.example", KEY)) == (
        signed(one) == signed(other)
    )
    assert of_one != seal(f"{signed(one)}@referee.example", b"x" * 32)


@given(tokens)
def test_a_seal_is_eight_letters_without_vowels_and_proves_nothing(token: Token) -> None:
    letters = seal(signed(token), KEY)
    assert (len(letters), set(letters) & set("aeiouy")) == (8, set())
    assert verify(letters, KEY) is None
    assert not shows_token(letters, KEY)
