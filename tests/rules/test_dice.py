"""Dice: every draw can be computed from the seed and the purpose."""

import hashlib
import hmac
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.dice import SECRET, Dice, ScriptedDice

EXACT = 2**256


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64, 65, 200])
def test_a_draw_is_the_standard_librarys_hmac_of_its_purpose(length: int) -> None:
    seed = bytes(range(length))
    stream = Dice(seed).at("growth", 5, "Émile")
    drawn = [stream.below(EXACT) for _ in range(3)]
    purposes = [f"growth|5|Émile|{n}".encode() for n in range(3)]
    expected = [hmac.digest(seed, purpose, hashlib.sha256) for purpose in purposes]
    assert drawn == [int.from_bytes(digest, "big") for digest in expected]


def test_streams_of_one_seed_are_independent() -> None:
    dice = Dice(b"seed")
    one, other = dice.at("a"), dice.at("b")
    mixed = [one.below(1000), other.below(1000), one.below(1000), other.below(1000)]
    alone = [dice.at(name) for name in "ab"]
    apart = [stream.below(1000) for stream in alone for _ in range(2)]
    assert mixed == [apart[0], apart[2], apart[1], apart[3]]


@given(
    st.binary(min_size=SECRET, max_size=SECRET),
    st.integers(0, 100),
    st.integers(0, 256),
    st.integers(1, 256),
)
def test_each_octet_of_the_digests_is_a_try(
    secret: bytes, tries: int, numerator: int, denominator: int
) -> None:
    digests = (hmac.digest(secret, b"a|1|%d" % n, hashlib.sha256) for n in count())
    fair = (octet for digest in digests for octet in digest if octet < 256 - 256 % denominator)
    hits = sum(octet % denominator < numerator for octet in islice(fair, tries))
    assert Dice(secret).at("a", 1).hits(tries, numerator, denominator) == hits


def test_tries_with_more_sides_than_an_octet_has_are_draws_of_their_own() -> None:
    seed = bytes(SECRET)
    singly = Dice(seed).at("a")
    hits = sum(singly.chance(100, 300) for _ in range(90))
    assert Dice(seed).at("a").hits(90, 100, 300) == hits


def test_tries_of_scripted_dice_are_scripted() -> None:
    assert ScriptedDice({"a": [0, 1, 0]}).at("a").hits(3, 1, 10) == 2
