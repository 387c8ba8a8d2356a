"""Tokens and security codes: only what we signed is recognised."""

from hypothesis import given
from hypothesis import strategies as st

from referee.domain.trust import (
    AddressToken,
    ConfirmationToken,
    DeputyToken,
    GmToken,
    ReturnToken,
    SeatToken,
    Side,
    Token,
    Trust,
    code_fits,
    hash_code,
    message_name,
    named_after,
    named_in,
    seal,
    shows_token,
    sign,
    verify,
)

KEY = b"k" * 32
serials = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=40)
tokens = (
    st.builds(SeatToken, st.integers(1, 10**9), st.integers(1, 999999), serials)
    | st.builds(DeputyToken, st.integers(1, 10**9), st.integers(1, 999999), serials)
    | st.builds(ConfirmationToken, st.integers(1, 10**9))
    | st.builds(AddressToken, st.integers(1, 10**9), st.sampled_from(Side))
    | st.builds(ReturnToken, st.integers(1, 10**9), serials)
    | st.builds(GmToken, st.integers(1, 10**9), st.integers(0, 999999), serials)
)


@given(tokens)
def test_a_signed_token_is_recognised(token: Token) -> None:
    assert verify(sign(token, KEY), KEY) == token


@given(tokens)
def test_a_token_in_capitals_is_recognised(token: Token) -> None:
    assert verify(sign(token, KEY).upper(), KEY) == token


@given(tokens, st.binary(min_size=1, max_size=40).filter(lambda key: key != KEY))
def test_a_token_signed_with_another_key_is_rejected(token: Token, key: bytes) -> None:
    assert verify(sign(token, key), KEY) is None


@given(tokens, st.integers(0, 200), st.sampled_from("abcdefghijklmnopqrstuvwxyz0123456789-"))
def test_a_changed_token_is_rejected(token: Token, place: int, letter: str) -> None:
    text = sign(token, KEY)
    place %= len(text)
    changed = text[:place] + letter + text[place + 1 :]
    assert verify(changed, KEY) == (token if changed == text else None)


@given(tokens)
def test_a_message_id_shows_its_letter_and_is_no_token(token: Token) -> None:
    text = sign(token, KEY)
    name = named_after(text, KEY)
    assert verify(name, KEY) is None
    assert not shows_token(name, KEY)
    named = token if isinstance(token, SeatToken | DeputyToken) else None
    assert [named_in(each, KEY) for each in (name, name.upper())] == [named] * 2
    assert named_in(text, KEY) is None
    assert named_in(name, b"x" * 32) is None
    if named is not None:
        assert message_name(named, KEY) == name
    assert len(name) == len(text)


@given(st.text())
def test_random_text_is_not_a_token(text: str) -> None:
    assert verify(text, KEY) is None


def test_more_proof_is_trusted_more() -> None:
    tiers = (Trust.NONE, Trust.ADDRESS, Trust.CODE, Trust.ALIGNED, Trust.TOKEN, Trust.CONFIRMED)
    assert sorted(Trust) == list(tiers)


@given(
    tokens,
    st.sampled_from(["{}", "games+{}@x.example,", "<{}@x>", "({})", "re: {}!", "*{}*", "xs1-{}"]),
    st.integers(1, 30),
    st.sampled_from(["", "\n", "\n> ", "\u200b", " ", "=\n"]),
)
def test_a_token_is_found_in_every_form(token: Token, around: str, place: int, broken: str) -> None:
    text = sign(token, KEY)
    written = around.format(text[:place] + broken + text[place:])
    assert shows_token(f"My address is {written} here.", KEY)


@given(st.text())
def test_no_token_is_found_in_text_without_one(text: str) -> None:
    assert not shows_token(text, KEY)


def test_a_token_fits_an_address() -> None:
    token = SeatToken(10**6, 12, "reminder99x259200")
    assert len("games+" + sign(token, KEY)) <= 64


def test_a_token_fits_every_letter_of_a_long_game() -> None:
    token = SeatToken(2**40 - 1, 2**24 - 1, "x", 2**24 - 1)
    assert verify(sign(token, KEY), KEY) == token


@given(st.lists(tokens, min_size=2, max_size=2, unique_by=lambda token: sign(token, KEY)))
def test_tokens_that_differ_in_anything_have_nothing_in_common(pair: list[Token]) -> None:
    """A number that is one higher shows neither that it is, nor in which place."""
    one, other = (sign(token, KEY) for token in pair)
    assert len(one) == len(other) == 50
    alike = sum(mine == theirs for mine, theirs in zip(one[2:], other[2:], strict=True))
    # Of 48 letters by chance, each one of 32.
    assert alike < 16


@given(tokens, tokens)
def test_every_letter_and_every_house_has_its_own_seal(one: Token, other: Token) -> None:
    of_one = seal(f"<{sign(one, KEY)}@referee.example>", KEY)
    assert of_one == seal(f"{sign(one, KEY)}@referee.example", KEY)
    assert (of_one == seal(f"{sign(other, KEY)}@referee.example", KEY)) == (
        sign(one, KEY) == sign(other, KEY)
    )
    assert of_one != seal(f"{sign(one, KEY)}@referee.example", b"x" * 32)


@given(tokens)
def test_a_seal_is_eight_letters_without_vowels_and_proves_nothing(token: Token) -> None:
    letters = seal(sign(token, KEY), KEY)
    assert (len(letters), set(letters) & set("aeiouy")) == (8, set())
    assert verify(letters, KEY) is None
    assert not shows_token(letters, KEY)


def test_case_and_blanks_of_a_code_do_not_matter() -> None:
    kept = hash_code("K7QX M2", b"salt")
    assert (code_fits("k7qxm2", b"salt", kept), code_fits("K7QXM3", b"salt", kept)) == (True, False)
