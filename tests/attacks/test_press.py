"""Attacks by press: messages that make another player's report too long."""

import pytest

from tests.attacks.siege import FRODO, GM, SAM, Siege

LONG = "".join(f"All is lost, and this is line {line} of my lament.\n" for line in range(180))


def press(siege: Siege, count: int, text: str = LONG) -> list[str]:
    """Send messages from Sam to Frodo, in few emails, and return the texts of the answers."""
    before = len(siege.person(SAM).got)
    for first in range(0, count, 10):
        blocks = [
            f"PRESS TO FRODO\nNumber {n}.\n{text}END\n"
            for n in range(first, min(first + 10, count))
        ]
        siege.reply(SAM, "".join(blocks), "T1 SAM")
    return [got.text for got in siege.person(SAM).got[before:]]


def test_a_player_can_write_twenty_messages_in_a_turn() -> None:
    siege = Siege()
    *_, last = press(siege, 30, "Short.\n")
    assert last.count("a player can write 20 messages in a turn, and you have") == 10
    assert len(siege.picture().press) == 20


def test_a_player_can_write_fifty_kilobytes_in_a_turn() -> None:
    siege = Siege()
    (answer,) = press(siege, 10)
    assert answer.count("a player can write messages of 50 kB in a turn") == 5
    assert len(siege.picture().press) == 5


@pytest.mark.slow
def test_messages_without_limit_do_not_make_a_report_long() -> None:
    siege = Siege()
    siege.write(GM, "GM SW-1\nPRESS RULES NO LIMIT")
    siege.reply(GM, "CONFIRM", "confirm")
    press(siege, 30)
    siege.later(days=6)
    got = siege.person(FRODO).got
    texts = [one.text for one in got if "T2" in one.subject]
    assert max(map(len, texts)) < 150_000
    numbers = [text.count(f": Number {n}.") for n in range(30) for text in ["".join(texts)]]
    assert numbers == [1] * 30
    assert [one.subject for one in got if "more messages" in one.subject] == [
        "[SW-1 T2 FRODO] more messages, 1 of 2",
        "[SW-1 T2 FRODO] more messages, 2 of 2",
    ]
