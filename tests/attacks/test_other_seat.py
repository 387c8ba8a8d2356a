"""Replies of a player that name the seat of another: they count for the player's own, openly."""

import pytest

from referee.testing.conversation import ADDRESS
from tests.attacks.siege import FRODO, MALLORY, Siege

MERRY = "merry@buckland.example"
SAID = "Your email names SAM, but it answers an email to FRODO. So it was read for FRODO."


@pytest.mark.parametrize(
    ("body", "subject"),
    [
        ("SW-1 T1 [SAM]\nENDING 1000\n", "Re: [SW-1 T1 FRODO] first report"),
        ("ENDING 1000\n", "Re: [SW-1 T1 SAM] first report"),
        ("ENDING 1000\n", "SW-1 T1 [Sam]"),
    ],
)
def test_an_answer_says_that_the_email_named_another_seat(body: str, subject: str) -> None:
    siege = Siege()
    siege.reply(FRODO, body, "T1 FRODO", Subject=subject)
    assert (siege.orders(), siege.orders("SAM")) == (["ENDING 1000"], [])
    assert SAID in " ".join(siege.last(FRODO).text.split())


def test_so_does_a_question() -> None:
    siege = Siege()
    siege.reply(FRODO, "SW-1 T1 [SAM]\nENDING 1000\n", "T1 FRODO", To=ADDRESS)
    assert "confirm: orders" in siege.last(FRODO).subject
    assert SAID in " ".join(siege.last(FRODO).text.split())


def test_so_does_the_answer_to_a_deputy() -> None:
    siege = Siege()
    siege.reply(FRODO, f"DEPUTY {MERRY} TO 6 September\n", "T1 FRODO")
    siege.reply(FRODO, "CONFIRM\n", "confirm: DEPUTY")
    siege.reply(MERRY, "CONFIRM\n", "asks you to be")
    siege.reply(MERRY, "SW-1 T1 [SAM]\nENDING 1000\n", "you now send orders for")
    said = " ".join(siege.last(MERRY).text.split())
    assert f"{SAID} You are deputy for FRODO" in said


def test_the_name_of_the_own_seat_is_not_worth_a_word() -> None:
    siege = Siege()
    siege.reply(FRODO, "SW-1 T1 [frodo]\nENDING 1000\n", "T1 FRODO")
    assert "Your email names" not in siege.last(FRODO).text


@pytest.mark.sampled
@pytest.mark.parametrize("sender", [FRODO, MALLORY])
@pytest.mark.parametrize(
    "body",
    [
        "HELP DEPUTY\nENDING 1000\nFINAL\n",
        "hello there\nENDING 1000\nENDIN 2000\nSTATSU\nWAIT\nSTATUS\n",
        "WHO\nSET ZONE Europe/Berlin\nPRESS TO GM\nhello\nEND\n",
        "CHECK\nENDING 1000\nFINAL\nRESIGN\n",
    ],
)
def test_an_answer_does_not_tell_which_seats_there_are(sender: str, body: str) -> None:
    answers = []
    for seat in ("SAM", "GANDALF"):
        siege = Siege()
        siege.write(sender, body, Subject=f"[SW-1 T1 {seat}]")
        answers.append((siege.last(sender).subject, siege.last(sender).text))
    assert answers[0] == answers[1]
