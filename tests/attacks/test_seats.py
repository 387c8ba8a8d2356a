"""Attacks on vacant, offered and occupied seats: only the intended person gets one."""

import re

import pytest

from referee.domain.tokens import Kind, Place, Token, sign
from referee.store.models import Person, SeatRow
from tests.attacks.siege import FRODO, GM, KEY, MALLORY, SAM, Siege

BILBO = "bilbo@rivendell.example"
TRIES = ("TAKEOVER", "TAKEOVER SW-1", "TAKEOVER SW-1 FRODO", "GM SW-1\nREPLACE FRODO " + MALLORY)


def holder(siege: Siege) -> str | None:
    """Return the address of the player of FRODO."""
    with siege.store.read() as session:
        row = session.query(SeatRow).filter_by(name="FRODO").one()
        return row.person.address if row.person is not None else None


def offered() -> Siege:
    """Return a game whose seat FRODO is vacant and offered to Bilbo."""
    siege = Siege()
    siege.write(BILBO, "STANDBY ALL\n")
    siege.reply(BILBO, "CONFIRM\n", "confirm")
    siege.reply(FRODO, "RESIGN\n", "T1")
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert "is available" in siege.last(BILBO).subject
    assert holder(siege) is None
    return siege


def to(token: Token, key: bytes = KEY) -> str:
    return f"games+{sign(token, Place.REPLY_TO, key)}@referee.example"


@pytest.mark.slow
def test_a_seat_with_a_player_cannot_be_taken() -> None:
    siege = Siege()
    before = siege.picture()
    for body in TRIES:
        siege.write(MALLORY, f"{body}\nCONFIRM\n")
        siege.write(MALLORY, f"{body}\n", "[SW-1 T1 FRODO] mine")
        siege.write(MALLORY, f"{body}\n", To=to(Token(Kind.OFFER, 1, 0)))
        siege.write(SAM, f"{body}\n", "[SW-1 T1 FRODO] mine")
        siege.reply(SAM, f"{body}\n", "T1")
    assert siege.picture() == before
    assert siege.got(FRODO) == []


def test_a_stranger_cannot_tell_which_seats_there_are() -> None:
    siege = Siege()
    siege.write(MALLORY, "TAKEOVER SW-1 FRODO\n")
    siege.write(MALLORY, "TAKEOVER SW-1 NOBODY\n")
    first, second = siege.person(MALLORY).got
    assert (first.subject, first.text) == (second.subject, second.text)
    assert "FRODO" not in first.text


@pytest.mark.slow
def test_only_the_person_asked_can_accept_an_offer() -> None:
    siege = offered()
    before = siege.picture()
    subject = siege.last(BILBO).subject
    returned = next(
        sent.sender for sent in siege.mailed if b"a seat in SW-1 is available" in sent.raw
    )
    siege.write(MALLORY, "TAKEOVER\n", To=to(Token(Kind.OFFER, 1, 0), b"x"))
    siege.write(MALLORY, "TAKEOVER\n", To=to(Token(Kind.OFFER, 2, 0)))
    # After an address change, tokens mailed to the old address no longer work.
    siege.write(MALLORY, "TAKEOVER\n", To=to(Token(Kind.OFFER, 1, 1)))
    siege.write(MALLORY, "TAKEOVER\n", subject)
    siege.write(MALLORY, "TAKEOVER SW-1 FRODO\n")
    siege.write(BILBO, "TAKEOVER\n", subject)
    siege.write(BILBO, "TAKEOVER\n", To=returned)
    siege.write(SAM, "TAKEOVER\n", To=to(Token(Kind.SEAT, 2, 1, letter="x")))
    siege.write(FRODO, "TAKEOVER SW-1 FRODO\n")
    siege.write(GM, "TAKEOVER SW-1 FRODO\n")
    siege.write(GM, "TAKEOVER\n", subject)
    assert siege.picture() == before


def test_a_program_cannot_take_a_seat() -> None:
    siege = offered()
    before = siege.picture()
    for header in ({"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}):
        siege.reply(BILBO, "TAKEOVER\nENDING 1000\n", "is available", **header)
    siege.reply(BILBO, "TAKEOVER\n", "is available", Subject="Out of office: is available")
    quoted = siege.last(BILBO, "is available").text
    siege.reply(BILBO, f"I am away.\n\n{quoted}", "is available")
    siege.reply(BILBO, f"I am away.\n> TAKEOVER\n> {quoted}", "is available")
    assert siege.picture() == before


@pytest.mark.slow
def test_a_takeover_in_another_persons_name_waits_for_a_confirmation() -> None:
    siege = offered()
    before = siege.picture()
    siege.write(BILBO, "TAKEOVER SW-1\n", Reply_To=MALLORY, Sender=MALLORY)
    asked = siege.last(BILBO, "confirm: ")
    siege.write(MALLORY, "CONFIRM\n", asked.subject, In_Reply_To=asked.message_id)
    siege.write(BILBO, "CONFIRM\n", asked.subject, In_Reply_To=asked.message_id)
    assert siege.picture() == before
    assert siege.got(MALLORY) == [siege.last(MALLORY).subject]
    siege.reply(BILBO, "CONFIRM\n", "confirm: ")
    assert holder(siege) == BILBO


@pytest.mark.slow
def test_an_offer_is_accepted_once_by_the_person_who_was_asked() -> None:
    siege = offered()
    answer = siege.last(BILBO, "is available").reply_to
    # A reply from another address waits until the person who was asked has confirmed it.
    siege.write(MALLORY, "TAKEOVER\n", To=answer)
    assert holder(siege) is None
    siege.reply(BILBO, "CONFIRM\n", "confirm: TAKEOVER")
    assert holder(siege) == BILBO
    assert siege.got(MALLORY) == []
    assert re.search(r", [A-Z2-7]{8}\n", siege.last(BILBO, "you now play").text)
    after = siege.picture()
    siege.write(MALLORY, "TAKEOVER\n", To=answer)
    siege.write(MALLORY, "SET NAME Mallory\n", "[SW-1 T1 FRODO]")
    siege.write(MALLORY, "ENDING 1000\n", "[SW-1 T1 FRODO]")
    siege.reply(FRODO, "ENDING 1000\n", "T1")
    assert siege.picture() == after


@pytest.mark.slow
def test_strangers_get_few_letters_and_are_stored_only_if_they_confirm() -> None:
    siege = Siege()
    before = siege.picture()
    for number in range(30):
        siege.write(f"victim{number}@elsewhere.example", "STANDBY ALL\n")
        siege.write("victim@elsewhere.example", f"STANDBY SW-1\nSTANDBY ALL\n{number}\n")
    assert siege.picture() == before
    # The last letter says that no more questions are sent today.
    assert len(siege.got("victim@elsewhere.example")) <= 9
    with siege.store.read() as session:
        assert session.query(Person).count() == 3
    # In a player's name a stranger can only change standby settings, and the player is notified.
    siege.write(FRODO, "STANDBY ALL\nSTANDBY OFF\n", "[SW-1 T1 SAM]")
    assert siege.picture() == before
    assert siege.got(SAM) == []
