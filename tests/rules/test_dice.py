"""Dice: every draw can be computed from the seed and the purpose."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.dice import Dice, ScriptedDice

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


@given(st.binary(max_size=70), st.integers(0, 40), st.integers(0, 12), st.integers(1, 12))
def test_tries_drawn_together_are_the_same_draws(
    seed: bytes, tries: int, numerator: int, denominator: int
) -> None:
    together, singly = Dice(seed).at("a", 1), Dice(seed).at("a", 1)
    hits = sum(singly.chance(numerator, denominator) for _ in range(tries))
    assert together.hits(tries, numerator, denominator) == hits
    assert together.below(100) == singly.below(100)


def test_tries_of_scripted_dice_are_scripted() -> None:
    assert ScriptedDice({"a": [0, 1, 0]}).at("a").hits(3, 1, 10) == 2
