"""Attacks by press: messages that make a report too long, or that bury the GM."""

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
    siege.write(GM, "GM SW-1\nOPTION PRESS NO LIMIT")
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


@pytest.mark.slow
def test_a_player_cannot_bury_the_gm_in_messages() -> None:
    siege = Siege()
    siege.write(GM, "GM SW-1\nOPTION PRESS NO LIMIT")
    siege.reply(GM, "CONFIRM", "confirm")
    for email in range(3):
        blocks = [f"PRESS TO GM\nNumber {email}-{n}.\nEND\n" for n in range(60)]
        siege.reply(SAM, "".join(blocks), "T1 SAM")
    refused = "can write 20 messages to the GM in a turn, and you have"
    assert " ".join(siege.last(SAM).text.split()).count(refused) == 60
    assert len(siege.picture().press) == 20
    before = len(siege.person(GM).got)
    siege.later(minutes=10)
    (letter,) = siege.person(GM).got[before:]
    assert letter.subject == "[SW-1 T1] 20 messages"
    assert [f": Number 0-{n}." in letter.text for n in range(20)] == [True] * 20


def test_a_player_can_write_fifty_kilobytes_to_the_gm_in_a_turn() -> None:
    siege = Siege()
    siege.reply(SAM, "".join(f"PRESS TO GM\n{n}\n{LONG}END\n" for n in range(10)), "T1 SAM")
    refused = "can write messages of 50 kB to the GM in a turn"
    assert " ".join(siege.last(SAM).text.split()).count(refused) == 5
    assert len(siege.picture().press) == 5


def test_a_player_who_has_written_enough_to_others_can_still_write_to_the_gm() -> None:
    siege = Siege()
    press(siege, 20, "Short.\n")
    siege.reply(SAM, "PRESS TO GM\nHelp.\nEND", "T1 SAM")
    assert "Your message to the GM goes out" in siege.last(SAM).text
