"""Attacks on addresses: no mail goes to another person, and no stranger learns of a game."""

import re
from collections.abc import Callable

import pytest

from referee.domain.tokens import Kind, Place, Side, Token, sign, verify
from tests.attacks.siege import ACCOUNT, FRODO, GM, KEY, MALLORY, SAM, Siege
from tests.letters.signing import Names, signed
from tests.support.examples import mostly_slow

Attack = Callable[[Siege], None]
ATTACKS: dict[str, Attack] = {}
TAG = "[SW-1 T1 FRODO]"
WISH = f"SET ADDRESS {MALLORY}\n"
NEW = "frodo@new.example"
SECOND = "frodo@second.example"


def attack(act: Attack) -> Attack:
    """Register a function as an attack under its name."""
    ATTACKS[act.__name__] = act
    return act


def token_to(siege: Siege, address: str, words: str) -> str:
    return re.sub(r"^games\+|@.*$", "", siege.last(address, words).reply_to)


def change_address(siege: Siege, wish: str = f"SET ADDRESS {NEW}", new: str = NEW) -> None:
    siege.reply(FRODO, f"{wish}\n", "report")
    siege.reply(FRODO, "CONFIRM\n", "address")
    siege.reply(new, "CONFIRM\n", "is this")


def comes_back(siege: Siege, address: str, words: str) -> None:
    """Deliver the bounce of a letter, as the mail server of its recipient reports it."""
    letter = siege.last(address, words)
    sent = next(each for each in siege.mailed if letter.message_id.encode() in each.raw)
    report = siege.person("daemon@x.example").report(sent.sender, "Action: failed", siege.now)
    siege.arrive(report, sent.sender, "<>")


# ---- No effect -----------------------------------------------------------------------------


@attack
def a_request_that_only_has_the_players_address(siege: Siege) -> None:
    siege.write(FRODO, WISH, TAG)
    assert siege.got(MALLORY) == []
    assert siege.got(FRODO) == [f"Re: {TAG} confirm: SET ADDRESS"]


@attack
def a_request_that_names_another_players_seat(siege: Siege) -> None:
    siege.write(SAM, WISH, TAG)
    siege.write(MALLORY, WISH, TAG)
    siege.write(MALLORY, WISH.replace("ADDRESS", "SECOND ADDRESS"), TAG)
    assert "confirm" not in " ".join(siege.got(MALLORY))


@attack
def a_stolen_report(siege: Siege) -> None:
    siege.write(MALLORY, WISH, To=siege.last(FRODO, "T1").reply_to)
    assert siege.got(MALLORY) == []
    assert siege.got(FRODO) == [f"Re: {TAG} confirm: SET ADDRESS"]
    # With the player's address as well, both sides are asked, and one of them is not enough.
    siege.write(FRODO, WISH, To=siege.last(FRODO, "report").reply_to)
    siege.reply(MALLORY, "CONFIRM\n", "is this")
    siege.reply(
        MALLORY, "CONFIRM\n", "is this", From=FRODO, Subject=f"Re: {TAG} confirm: your new address"
    )
    siege.reply(FRODO, "CONFIRM\n", "confirm: your new address", From=MALLORY)
    assert "confirm: your new address" in siege.got(FRODO)[1]


@attack
def the_new_sides_token_for_the_old_side(siege: Siege) -> None:
    siege.write(FRODO, WISH, To=siege.last(FRODO, "T1").reply_to)
    token = token_to(siege, MALLORY, "is this")
    proof = verify(token, KEY)
    assert proof is not None
    assert (proof.kind, proof.epoch) == (Kind.ADDRESS, Side.NEW)
    for other in (
        f"c{token[1:]}",
        sign(Token(Kind.ADDRESS, proof.number, Side.OLD), Place.REPLY_TO, b"guessed"),
        sign(Token(Kind.QUESTION, proof.number), Place.REPLY_TO, b"guessed"),
    ):
        siege.write(MALLORY, "CONFIRM\n", To=f"games+{other}@referee.example")
    # A pending letter of the attacker's own does not confirm Frodo's either.
    assert verify(f"c{token[1:]}", KEY) is None


@attack
def a_robot_at_either_side(siege: Siege) -> None:
    siege.reply(FRODO, WISH, "T1")
    for address, words in ((FRODO, "confirm: "), (MALLORY, "is this")):
        siege.reply(address, "CONFIRM\n", words, Auto_Submitted="auto-replied")
        siege.reply(address, "CONFIRM\n", words, Precedence="bulk")
        siege.reply(address, "CONFIRM\n", words, Subject="Out of office: is this")
        text = siege.last(address, words).text
        siege.reply(address, f"I am away.\n> CONFIRM\n{text}", words)


@attack
def a_request_in_a_quote_and_in_a_message(siege: Siege) -> None:
    siege.reply(FRODO, f"Look what I got:\n\n> {WISH}> CONFIRM\n", "T1")
    siege.reply(FRODO, f"PRESS TO SAM\nSET SECOND ADDRESS NONE\n{WISH}END\n", "T1")
    assert siege.got(MALLORY) == []


@attack
def our_own_addresses(siege: Siege) -> None:
    own = siege.last(FRODO, "T1").reply_to
    ours = ("games@referee.example", "GAMES+x@Referee.example", "games@referee.example.", own)
    for address in ours:
        siege.reply(FRODO, f"SET ADDRESS {address}\nSET SECOND ADDRESS {address}\n", "T1")
    for address in ("mailer-daemon@shire.example", "postmaster@x.example", "bounces@list.example"):
        siege.reply(FRODO, f"SET ADDRESS {address}\nSET SECOND ADDRESS {address}\n", "T1")
    assert "confirm: your new" not in " ".join(siege.got(FRODO))


@attack
def addresses_that_carry_headers(siege: Siege) -> None:
    for address in (f"x@y.example\x0bBcc:{SAM}", f"x@y.example,{SAM}", f"<{SAM}>x@y.example"):
        siege.reply(FRODO, f"SET ADDRESS {address}\n", "T1")
    assert siege.got(SAM) == []


@attack
def a_change_that_took_too_long(siege: Siege) -> None:
    siege.reply(FRODO, WISH, "T1")
    siege.reply(MALLORY, "CONFIRM\n", "is this")
    siege.write(GM, "GM SW-1\nHOLD\n")
    siege.reply(GM, "CONFIRM\n", "confirm")
    siege.later(days=7)
    siege.reply(FRODO, "CONFIRM\n", "confirm: your new address")
    assert "your new address was not confirmed" in " ".join(siege.got(FRODO))


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_slow(sorted(ATTACKS)))
def test_an_attack_through_addresses_changes_nothing(name: str) -> None:
    siege = Siege()
    before = siege.picture()
    ATTACKS[name](siege)
    assert siege.picture().people == before.people
    assert siege.picture().seats == before.seats
    assert siege.orders() == ["ENDING 8000"]


# ---- Effects of a change -------------------------------------------------------------------


@pytest.mark.slow
def test_after_a_change_nothing_older_is_believed() -> None:
    siege = Siege()
    code = siege.code(FRODO)
    report = siege.last(FRODO, "T1")
    siege.write(FRODO, "ENDING 1000\n", TAG)
    held = siege.last(FRODO, "confirm: ")
    change_address(siege)
    after = siege.picture()
    for letter in (report, held, siege.last(FRODO, "confirm: your new address")):
        raw = siege.person(FRODO).reply(letter, "ENDING 3000\nCONFIRM\n", siege.now, {})
        siege.arrive(raw, letter.reply_to)
    siege.write(FRODO, f"SW-1 T1 [FRODO] F, #{ACCOUNT}, {code}\nENDING 3000\n")
    siege.write(NEW, f"SW-1 T1 [FRODO] F, #{ACCOUNT}, {code}\nENDING 3000\n")
    assert siege.orders() == ["ENDING 8000"]
    assert siege.picture() == after
    # A reply to a letter sent since then is accepted.
    siege.reply(NEW, "ENDING 3000\n", "comes here now")
    assert siege.orders() == ["ENDING 3000"]


@pytest.mark.slow
def test_pending_gm_commands_end_with_an_address_change() -> None:
    siege = Siege()
    siege.write(GM, "GM SW-1\nHOLD\n")
    siege.write(GM, "SET ADDRESS gm@new.example\n")
    siege.reply(GM, "CONFIRM\n", "confirm")
    siege.reply("gm@new.example", "CONFIRM\n", "is this")
    assert siege.got("gm@new.example")[-1] == "your email comes here now"
    before = siege.picture()
    siege.reply(GM, "CONFIRM\n", "confirm: HOLD")
    assert siege.picture() == before
    siege.write(GM, "GM SW-1\nSTATUS\n")
    assert "FRODO" not in siege.last(GM).text


@pytest.mark.slow
def test_a_confirmation_counts_once() -> None:
    siege = Siege()
    change_address(siege)
    siege.reply(NEW, "SET ADDRESS frodo@third.example\n", "comes here now")
    before = siege.picture()
    # The confirmations of the earlier change no longer work.
    siege.reply(FRODO, "CONFIRM\n", "confirm: your new address")
    siege.reply(NEW, "CONFIRM\n", "is this")
    siege.reply(NEW, "CONFIRM\n", "is this")
    assert siege.picture() == before


@pytest.mark.slow
def test_a_former_mailbox_cannot_confirm_a_pending_address() -> None:
    siege = Siege()
    # Mallory reads Frodo's old mailbox, and asks there for a second address.
    siege.reply(FRODO, f"SET SECOND ADDRESS {MALLORY}\n", "report")
    siege.reply(MALLORY, "CONFIRM\n", "is this")
    change_address(siege)
    siege.reply(FRODO, "CONFIRM\n", "confirm: your new second address")
    people = [person[:2] for person in siege.picture().people]  # type: ignore[index]
    assert people[1] == (NEW, None)


@pytest.mark.slow
def test_an_address_that_two_players_request_goes_to_the_first_to_confirm() -> None:
    siege = Siege()
    for player in (FRODO, SAM):
        siege.reply(player, f"SET ADDRESS {NEW}\n", "T1")
        siege.reply(player, "CONFIRM\n", "confirm: ")
    mine, other = siege.person(NEW).got[-2:]
    for letter in (mine, other):
        siege.arrive(siege.person(NEW).reply(letter, "CONFIRM\n", siege.now, {}), letter.reply_to)
    addresses = [person[0] for person in siege.picture().people]  # type: ignore[index]
    assert addresses == [GM, NEW, SAM]
    assert "the new address was refused" in siege.last(SAM).subject
    assert FRODO not in siege.last(SAM).text


@pytest.mark.slow
def test_the_answer_does_not_reveal_a_known_address() -> None:
    answers = []
    for address in (SAM, "sim@shire.example"):
        siege = Siege()
        siege.reply(FRODO, f"SET ADDRESS {address}\nSET SECOND ADDRESS {address}\n", "T1")
        siege.reply(FRODO, "CONFIRM\n", "confirm: your new address")
        texts = [got.text for got in siege.person(FRODO).got[siege.before[FRODO] :]]
        answers.append([text.replace(address, "X") for text in texts])
    assert answers[0] == answers[1]


@pytest.mark.slow
def test_the_letter_to_a_new_address_reveals_and_quotes_nothing() -> None:
    siege = Siege()
    siege.reply(FRODO, f"SET NAME Buy pills\n{WISH}", "T1", From="Buy pills <frodo@shire.example>")
    got = siege.last(MALLORY)
    shown = f"{got.text}{got.headers}{got.subject}"
    for secret in ("pills", "SW-1", "Frodo", "FRODO", "shire", str(ACCOUNT)):
        assert secret not in shown


@pytest.mark.slow
def test_many_players_cannot_flood_one_address() -> None:
    siege = Siege()
    for player in (FRODO, SAM):
        for _ in range(7):
            siege.reply(player, f"SET ADDRESS {MALLORY}\n", "T1")
            siege.reply(player, f"SET SECOND ADDRESS {MALLORY}\n", "T1")
    # Three a day, and one for each other person who asks for the first time.
    assert len(siege.got(MALLORY)) == 4


# ---- A second address ----------------------------------------------------------------------


def with_second(siege: Siege) -> Siege:
    change_address(siege, f"SET SECOND ADDRESS {SECOND}", SECOND)
    return siege


def test_reading_the_second_address_does_not_give_access_to_the_first() -> None:
    siege = with_second(Siege(Names().key("second.example")))
    before = siege.picture()
    head = f"From: {SECOND}\nTo: games@referee.example\nSubject: {TAG}\n"
    head += "Date: Tue, 01 Sep 2026 12:00:00 +0000\nMessage-ID: <1@second.example>\n"
    raw = f"{head}\n{WISH}RESIGN\n".replace("\n", "\r\n").encode()
    siege.arrive(signed(raw, "second.example"))
    # The first address is asked, and a question that bounces is not sent to the second one.
    assert "confirm: " in siege.last(FRODO).subject
    comes_back(siege, FRODO, "confirm: ")
    assert not any("confirm: " in subject for subject in siege.got(SECOND)[2:])
    assert siege.picture().seats == before.seats


@pytest.mark.slow
def test_the_answer_names_the_second_address_that_an_email_came_from() -> None:
    siege = with_second(Siege(Names().key("second.example")))
    head = f"From: {SECOND}\nTo: games@referee.example\nSubject: {TAG}\n"
    head += "Date: Tue, 01 Sep 2026 12:00:00 +0000\nMessage-ID: <1@second.example>\n"
    raw = f"{head}\nENDING 3000\n".replace("\n", "\r\n").encode()
    siege.arrive(signed(raw, "second.example"))
    assert siege.orders() == ["ENDING 3000"]
    assert f"Your email came from {SECOND}." in siege.last(FRODO).text
    siege.reply(FRODO, "ENDING 4000\n", "T1")
    assert "Your email came from" not in siege.last(FRODO).text


def test_forged_bounces_redirect_no_letters() -> None:
    siege = with_second(Siege())
    before = siege.picture()
    for to in ("games@referee.example", siege.last(FRODO, "T1").reply_to.replace("s1", "s2")):
        for _ in range(4):
            report = siege.person("daemon@x.example").report(to, "Action: failed", siege.now)
            siege.arrive(report, to, "<>")
    assert siege.picture() == before


@pytest.mark.slow
def test_a_bounce_from_a_former_address_is_not_counted() -> None:
    siege = with_second(Siege())
    change_address(siege)
    before = siege.picture()
    for _ in range(4):
        comes_back(siege, FRODO, "no longer write to this address")
        comes_back(siege, FRODO, "your second address")
    assert siege.picture() == before


def test_a_second_address_cannot_become_another_players() -> None:
    siege = with_second(Siege())
    siege.reply(SAM, f"SET ADDRESS {SECOND}\n", "T1")
    siege.reply(SAM, "CONFIRM\n", "confirm: ")
    siege.reply(SECOND, "CONFIRM\n", "is this")
    addresses = [person[:2] for person in siege.picture().people]  # type: ignore[index]
    assert addresses == [(GM, None), (FRODO, SECOND), (SAM, None)]
