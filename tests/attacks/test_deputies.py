"""Attacks by a deputy, or in a deputy's name: the token opens one seat, for one person."""

import re
from collections.abc import Callable

import pytest

from referee.domain.tokens import Kind, Place, Token, sign, verify
from tests.attacks.siege import FRODO, GM, KEY, MALLORY, SAM, Siege, token_of
from tests.support.examples import mostly_slow

MERRY = "merry@buckland.example"
ORDER = "ENDING 1000\n"
TAG = "[SW-1 T1 FRODO] my orders"
BEGINS = "you now send orders for"

Attack = Callable[[Siege], None]
ATTACKS: dict[str, Attack] = {}


def attack(act: Attack) -> Attack:
    """Register a function as an attack under its name."""
    ATTACKS[act.__name__] = act
    return act


def deputised(days: str = "TO 6 September") -> Siege:
    """Return a siege in which Merry is deputy of FRODO."""
    siege = Siege()
    siege.reply(FRODO, f"DEPUTY {MERRY} {days}\n", "T1")
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    siege.reply(MERRY, "CONFIRM\n", "asks you to be")
    return siege


def token(siege: Siege, words: str = BEGINS) -> str:
    return re.sub(r"^games\+|@.*$", "", siege.last(MERRY, words).reply_to)


def test_a_deputy_can_send_orders() -> None:
    siege = deputised()
    siege.reply(MERRY, ORDER, BEGINS)
    assert siege.orders("FRODO") == ["ENDING 1000"]


# ---- Stolen tokens ---------------------------------------------------------------------------


def test_a_seat_given_up_in_an_email_is_not_advised_about_in_its_answer() -> None:
    siege = deputised()
    siege.reply(MERRY, "W250B20I\nENDING 7000\nDEPUTY NONE\n", BEGINS)
    siege.write(FRODO, "W250B20I\nENDING 7000\nRESIGN\n", "SW-1 FRODO")
    siege.reply(FRODO, "CONFIRM\n")
    gone = {MERRY: "You are no longer deputy for FRODO", FRODO: "FRODO is no longer yours"}
    advice = ("TO FIX", "CANCEL", "ADD", "YOUR SHEET", "FINAL", "UNDO")
    for address, why in gone.items():
        text = siege.last(address, "1 of 2 orders rejected").text
        assert f"{why}, so you can no longer fix it." in " ".join(text.split())
        assert [word for word in advice if word in text] == []


@attack
def a_deputys_token_from_another_address(siege: Siege) -> None:
    siege.write(MALLORY, ORDER, TAG, To=f"games+{token(siege)}@referee.example")
    siege.write(SAM, ORDER, TAG, To=f"games+{token(siege)}@referee.example")
    siege.reply(MERRY, ORDER, BEGINS, From=MALLORY)


@attack
def a_deputys_token_with_two_senders(siege: Siege) -> None:
    siege.reply(MERRY, ORDER, BEGINS, From=f"{MERRY}, {MALLORY}")


@attack
def a_deputys_token_with_another_signature(siege: Siege) -> None:
    forged = sign(Token(Kind.DEPUTY, 1, 1, letter="report1"), Place.REPLY_TO, b"guess")
    siege.write(MERRY, ORDER, TAG, To=f"games+{forged}@referee.example")


@attack
def a_deputys_token_as_if_it_were_the_seats(siege: Siege) -> None:
    kept = token(siege)
    siege.write(MERRY, ORDER, TAG, To=f"games+s{kept[1:]}@referee.example")
    siege.write(MERRY, ORDER, TAG, To=f"games+{token_of(1, 1, 'report1', b'x')}@referee.example")


@attack
def a_deputys_number_with_another_epoch(siege: Siege) -> None:
    for epoch in (0, 2, 3):
        other = sign(Token(Kind.DEPUTY, 1, epoch, letter="x"), Place.REPLY_TO, KEY)
        siege.write(MERRY, ORDER, TAG, To=f"games+{other}@referee.example")


@attack
def a_deputy_who_does_not_exist(siege: Siege) -> None:
    other = sign(Token(Kind.DEPUTY, 99, 1, letter="x"), Place.REPLY_TO, KEY)
    siege.write(MERRY, ORDER, TAG, To=f"games+{other}@referee.example")


@attack
def a_deputys_address_without_a_token(siege: Siege) -> None:
    siege.write(MERRY, ORDER, TAG)
    siege.write(MERRY, f"SW-1 T1 [FRODO]\n{ORDER}")


@attack
def another_seat_in_the_subject(siege: Siege) -> None:
    siege.reply(MERRY, "SW-1 T1 [SAM]\nCHECK\nENDING 1000\n", BEGINS, Subject="[SW-1 T1 SAM]")


# ---- Forbidden commands ----------------------------------------------------------------------

FORBIDDEN = (
    "RESIGN",
    "SET NAME Mallory",
    "SET ZONE Asia/Tokyo",
    "SET ADDRESS mallory@evil.example",
    "SET SECOND ADDRESS mallory@evil.example",
    "SET REMINDERS NONE",
    "DEPUTY mallory@evil.example TO 6 September",
    "ABSENT TO 6 September",
    "ABSENT NONE",
    "VOTE END",
    "TAKEOVER SW-1",
    "STANDBY SW-1",
    "JOIN SW-1",
    "OBSERVE SW-1",
    "CLEAR T2",
    "UNDO",
    "HISTORY",
    "WHO",
    "HOLD",
    "REPORT OF SAM",
    "DEPUTY FRODO NONE",
    "STANDING\nENDING 1000\nEND",
    "GM SW-1\nHOLD",
)


@attack
def commands_that_only_the_player_has(siege: Siege) -> None:
    for line in FORBIDDEN:
        siege.reply(MERRY, f"{line}\n", BEGINS)
        assert "confirm" not in siege.last(MERRY).subject
        if "confirm" in siege.last(FRODO).subject:
            raise AssertionError(f"{line} was held for the player to confirm")


@attack
def orders_for_a_future_turn(siege: Siege) -> None:
    siege.reply(MERRY, f"SW-1 T2 [FRODO]\n{ORDER}", BEGINS, Subject="[SW-1 T2 FRODO]")


@attack
def the_gms_address_with_a_deputys_token(siege: Siege) -> None:
    siege.reply(MERRY, "HOLD\n", BEGINS, From=GM)
    siege.reply(MERRY, "GM SW-1\nSHEETS\n", BEGINS, From=GM)
    # Answers that only a GM may get go to the GM's address.
    assert [sent.recipient for sent in siege.mailed[-2:]] == [GM, GM]


@attack
def the_gms_address_with_the_name_of_a_seat(siege: Siege) -> None:
    for seat in ("SAM", "GANDALF"):
        siege.write(GM, "HOLD\nEXPORT\n", Subject=f"[SW-1 T1 {seat}]")
        siege.write(GM, "HOLD\n", Subject=f"CHECK [SW-1 T1 {seat}]")
        siege.write(GM, f"SW-1 T1 [{seat}]\nHOLD\n", Subject="CHECK")
        assert siege.last(GM).subject.endswith("not done: HOLD")


@attack
def a_confirmation_that_the_player_was_asked_for(siege: Siege) -> None:
    siege.reply(FRODO, "RESIGN\n", "first report")
    siege.reply(MERRY, "CONFIRM\n", BEGINS)
    subject = siege.last(FRODO, "confirm").subject
    message = siege.last(FRODO, "confirm").message_id
    siege.reply(MERRY, "CONFIRM\n", BEGINS, Subject=subject)
    siege.reply(MERRY, "CONFIRM\n", BEGINS, In_Reply_To=message, References=message)


@attack
def a_message_with_secrets_of_the_seat_or_the_deputy(siege: Siege) -> None:
    code = re.search(r"Security code: ([A-Z2-7]{8})\b", siege.last(MERRY, "now deputy").text)
    assert code is not None
    for secret in (siege.code(FRODO), code[1], token(siege), siege.token(FRODO)):
        siege.reply(MERRY, f"PRESS TO SAM\nTake this: {secret}\nEND\n", BEGINS)


# ---- After the deputyship has ended ----------------------------------------------------------


@attack
def a_deputys_token_after_the_player_ended_it(siege: Siege) -> None:
    siege.reply(FRODO, "DEPUTY NONE\n", "first report")
    siege.reply(MERRY, ORDER, BEGINS)
    siege.reply(MERRY, "CONFIRM\n", "asks you to be")
    siege.reply(MERRY, ORDER, BEGINS)


@pytest.mark.parametrize("name", mostly_slow(ATTACKS))
def test_an_attack_changes_nothing(name: str) -> None:
    siege = deputised()
    before = siege.picture()
    ATTACKS[name](siege)
    assert siege.picture() == before


@pytest.mark.slow
def test_a_deputys_token_expires_with_the_last_day() -> None:
    siege = deputised()
    siege.later(days=5, hours=13)
    before = siege.picture()
    siege.reply(MERRY, ORDER, BEGINS)
    siege.reply(MERRY, "CONFIRM\n", "asks you to be")
    siege.reply(MERRY, "FINAL\n", BEGINS)
    assert siege.picture() == before


# ---- Before the deputy has accepted ----------------------------------------------------------


def test_a_deputy_cannot_send_orders_before_accepting() -> None:
    siege = Siege()
    siege.reply(FRODO, f"DEPUTY {MERRY} TO 6 September\n", "T1")
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    before = siege.picture()
    siege.reply(MERRY, ORDER, "asks you to be")
    siege.reply(MERRY, "CONFIRM\n", "asks you to be", From=MALLORY)
    siege.reply(MERRY, "CONFIRM\n", "asks you to be", Auto_Submitted="auto-replied")
    siege.reply(MERRY, f"I am away.\n> CONFIRM\n{ORDER}", "asks you to be")
    assert siege.picture() == before
    assert siege.got(MALLORY) != []
    assert "FRODO" not in "".join(got.text for got in siege.person(MALLORY).got)


def test_a_deputy_cannot_send_orders_before_the_first_day() -> None:
    siege = deputised("FROM 3 September TO 6 September")
    before = siege.picture()
    siege.reply(MERRY, ORDER, "asks you to be")
    assert siege.picture() == before


# ---- Content of letters to deputies ----------------------------------------------------------


@pytest.mark.slow
def test_no_letter_to_a_deputy_carries_a_token_of_the_seat() -> None:
    siege = deputised()
    siege.reply(MERRY, f"{ORDER}STATUS\nREPORT\nMAP\nORDERS\n", BEGINS)
    siege.reply(FRODO, "ENDING 2000\n", "first report")
    siege.reply(SAM, "ENDING 8000\nFINAL\n", "T1")
    siege.reply(FRODO, "FINAL\n", "first report")
    seen = [sent for sent in siege.mailed if sent.recipient == MERRY]
    assert len(seen) > 4
    for sent in seen:
        text = f"{sent.sender}\n{sent.raw.decode('utf-8', 'replace')}"
        found = re.findall(r"[a-z]-[a-z2-7]{40}", text)
        assert not any(token.kind is Kind.SEAT for each in found if (token := verify(each, KEY)))
        assert FRODO not in text
        assert siege.code(FRODO) not in text


@pytest.mark.slow
def test_a_deputy_of_one_seat_cannot_become_deputy_of_another() -> None:
    siege = deputised()
    siege.reply(FRODO, "DEPUTY NONE\n", "first report")
    letters = len(siege.person(MERRY).got)
    siege.reply(SAM, f"DEPUTY {MERRY} TO 6 September\n", "T1")
    siege.reply(SAM, "CONFIRM\n", "confirm")
    assert len(siege.person(MERRY).got) == letters
