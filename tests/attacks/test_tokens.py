"""Attacks with a token of another person: it acts only for its owner, and not for ever."""

from collections.abc import Callable

import pytest

from referee.testing.correspondents import MAIL_SERVER
from tests.attacks.siege import FRODO, GM, KEY, MALLORY, SAM, Siege
from tests.support.token_places import misplaced

ORDER = "ENDING 1000\n"
PLAIN = "games@referee.example"
Attack = Callable[[Siege], None]
ATTACKS: dict[str, Attack] = {}


def attack(act: Attack) -> Attack:
    """Register a function as an attack under its name."""
    ATTACKS[act.__name__] = act
    return act


def to_token(siege: Siege, address: str) -> str:
    return siege.last(address, "report").reply_to


def thread(siege: Siege, address: str) -> dict[str, str]:
    message = siege.last(address, "report").message_id
    return {"In-Reply-To": message, "References": message}


@attack
def a_token_from_a_stranger_a_player_and_the_gm(siege: Siege) -> None:
    for sender in (MALLORY, SAM, GM, f"{FRODO}, {MALLORY}", "frodo@shire.example.evil.example"):
        siege.write(sender, ORDER, To=to_token(siege, FRODO))


@attack
def a_message_id_of_a_report_from_another_address(siege: Siege) -> None:
    for sender in (MALLORY, SAM, GM):
        siege.write(sender, ORDER, "orders", **thread(siege, FRODO))
        siege.write(sender, "STATUS\nREPORT\n", "orders", **thread(siege, FRODO))


@attack
def commands_with_another_persons_token(siege: Siege) -> None:
    for line in ("RESIGN", "SET NAME Mallory", "FINAL", "UNDO", f"SET ADDRESS {MALLORY}", "CLEAR"):
        siege.write(MALLORY, f"{line}\n", To=to_token(siege, FRODO))


@attack
def a_confirmation_from_another_address(siege: Siege) -> None:
    siege.reply(FRODO, "RESIGN\n", "report")
    for sender in (MALLORY, SAM, GM, f"{FRODO}, {MALLORY}"):
        siege.reply(FRODO, "CONFIRM\n", "confirm: RESIGN", From=sender)
    assert "came from mallory@evil.example" in siege.everything_mailed()


@attack
def a_forged_bounce_to_the_reply_address(siege: Siege) -> None:
    to = to_token(siege, FRODO)
    for _ in range(4):
        report = siege.person("daemon@x.example").report(to, "Action: failed", siege.now)
        siege.arrive(report, to, "<>")
    assert siege.got(GM) == []


@attack
def a_token_of_two_turns_ago(siege: Siege) -> None:
    siege.later(days=5, hours=1)
    siege.later(days=5)
    siege.before[FRODO] = len(siege.person(FRODO).got)
    old = next(got for got in siege.person(FRODO).got if "T1 FRODO" in got.subject)
    siege.write(FRODO, ORDER, old.subject, To=old.reply_to)
    assert siege.got(FRODO) == ["Re: [SW-1 T3 FRODO] confirm: orders"]
    assert siege.orders() == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_another_persons_token_changes_nothing(name: str) -> None:
    siege = Siege()
    before = siege.picture()
    ATTACKS[name](siege)
    after = siege.picture()
    assert (after.seats, after.people, after.press) == (before.seats, before.people, before.press)
    assert [row for row in after.sheets if row in before.sheets] == before.sheets
    assert len(after.sheets) == len(before.sheets)
    assert misplaced(siege.mailed, KEY) == []
    assert siege.person(MALLORY).got == [] or "FRODO" not in siege.last(MALLORY).text


def test_one_email_to_two_people_is_judged_for_each() -> None:
    siege = Siege()
    both = [to_token(siege, address) for address in (FRODO, SAM)]
    raw = siege.person(MALLORY).letter(", ".join(both), "orders", ORDER, siege.now, {})
    for recipient in both:
        siege.arrive(raw, recipient)
    for address in (FRODO, SAM):
        assert siege.got(address)[-1].endswith("confirm: orders")


def asked(siege: Siege) -> None:
    """Send an email without proof from Frodo, who is asked about it."""
    siege.write(FRODO, "ENDING 2000\n", "[SW-1 T1 FRODO]")
    assert "confirm" in siege.got(FRODO)[-1]


def test_a_reply_to_a_question_is_proof_as_a_reply_to_a_report() -> None:
    siege = Siege()
    asked(siege)
    siege.reply(FRODO, "ENDING 3000\n", "confirm")
    assert siege.orders() == ["ENDING 3000"]
    siege.reply(FRODO, "RESIGN\n", "confirm: orders")
    assert "confirm: RESIGN" in siege.got(FRODO)[-1]


@pytest.mark.parametrize("sender", [MALLORY, SAM])
def test_a_reply_to_a_question_from_elsewhere_proves_nothing(sender: str) -> None:
    siege = Siege()
    asked(siege)
    siege.reply(FRODO, "ENDING 3000\n", "confirm", From=sender)
    assert siege.orders() == ["ENDING 8000"]


@pytest.mark.slow
def test_a_reply_to_an_old_question_proves_nothing() -> None:
    siege = Siege()
    asked(siege)
    siege.later(days=11)
    siege.reply(FRODO, "F3W5\n", "confirm: orders")
    assert "confirm: orders" in siege.got(FRODO)[-1]


def asked_gm() -> Siege:
    """Return a siege whose GM was asked about an email without proof."""
    siege = Siege()
    siege.write(GM, "GM SW-1\nHOLD\n")
    assert "confirm: HOLD" in siege.got(GM)[-1]
    return siege


def test_a_gms_reply_to_a_question_is_proof_as_a_reply_to_any_email() -> None:
    siege = asked_gm()
    siege.reply(GM, "TITLE The Ring\n", "confirm: HOLD")
    assert siege.got(GM)[-1] == "Re: [SW-1 T1] done: TITLE"
    siege.reply(GM, "CONFIRM\n", "confirm: HOLD")
    assert siege.got(GM)[-1] == "Re: [SW-1 T1] done: HOLD"


@pytest.mark.parametrize("sender", [MALLORY, SAM])
def test_a_reply_to_a_gms_question_from_elsewhere_proves_nothing(sender: str) -> None:
    siege = asked_gm()
    siege.reply(GM, "TITLE The Ring\n", "confirm: HOLD", From=sender)
    assert [subject for subject in siege.got(GM) if "TITLE" in subject] == []


@pytest.mark.slow
def test_a_gms_reply_to_an_old_question_proves_nothing() -> None:
    siege = asked_gm()
    siege.later(days=11)
    siege.reply(GM, "TITLE The Ring\n", "confirm: HOLD")
    assert "confirm: TITLE" in siege.got(GM)[-1]


@pytest.mark.slow
def test_new_tokens_end_the_proof_of_a_gms_question() -> None:
    siege = asked_gm()
    siege.reply(GM, "SET TOKENS NEW\n", "confirm: HOLD")
    siege.reply(GM, "CONFIRM\n", "confirm: SET TOKENS")
    siege.reply(GM, "TITLE The Ring\n", "confirm: HOLD")
    assert "confirm: TITLE" in siege.got(GM)[-1]


def trusting_servers() -> Siege:
    """Return a siege whose mail server checks all mail."""
    return Siege(authserv_ids=frozenset({MAIL_SERVER}))


def forwarded(siege: Siege) -> dict[str, str]:
    """Return what a stranger learns from a report that Frodo forwarded as a file."""
    return {**thread(siege, FRODO), "Subject": "Re: my report"}


@pytest.mark.sampled
@pytest.mark.parametrize("failed", ["dmarc=fail", "spf=fail; dkim=fail", "none"])
def test_a_message_id_proves_nothing_with_a_forged_from(failed: str) -> None:
    siege = trusting_servers()
    for line in (ORDER, "FINAL\n", "PRESS TO SAM\nHello.\nEND\n", "STANDING\nENDING 9\nEND\n"):
        before = siege.picture()
        raw = siege.person(FRODO).letter(PLAIN, "Re: my report", line, siege.now, forwarded(siege))
        siege.arrive(f"Authentication-Results: {MAIL_SERVER}; {failed}\r\n".encode() + raw)
        assert siege.picture() == before
        said = " ".join(siege.last(FRODO).text.split())
        assert "it was not sent to the reply address of that email." in said
    siege.reply(FRODO, "CONFIRM\n", "confirm: standing orders")
    assert siege.picture() != before


@pytest.mark.sampled
@pytest.mark.parametrize("sender", [FRODO, SAM, GM, MALLORY])
def test_a_message_id_is_no_reply_address(sender: str) -> None:
    """An atlas has this address, and everyone who has the file."""
    siege = Siege()
    before = siege.picture()
    name = siege.last(FRODO, "report").message_id.strip("<>").partition("@")[0]
    for line in (ORDER, "RESIGN\n", "PRESS TO SAM\nHello.\nEND\n", "SET TOKENS NEW\n"):
        siege.write(sender, line, "Re: [SW-1 T1 FRODO] orders", To=f"games+{name}@referee.example")
    assert siege.picture() == before
    assert "confirm: RESIGN" in siege.got(FRODO)[1]
    siege.reply(FRODO, "YES\n", "confirm: orders")
    assert siege.orders() == ["ENDING 1000"]


@pytest.mark.sampled
@pytest.mark.parametrize("words", ["asks you to be", "you now send orders for"])
def test_a_message_id_makes_nobody_a_deputy(words: str) -> None:
    siege = Siege()
    siege.reply(FRODO, "DEPUTY merry@buckland.example TO 6 September\n", "T1")
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    merry = siege.person("merry@buckland.example")
    if words != "asks you to be":
        siege.reply(merry.address, "CONFIRM\n", "asks you to be")
    message = siege.last(merry.address, words).message_id
    for line in ("CONFIRM\n", ORDER, "FINAL\n"):
        siege.write(merry.address, line, "hello", In_Reply_To=message, References=message)
    assert siege.orders() == ["ENDING 8000"]
    if words == "asks you to be":
        siege.reply(merry.address, "STATUS\n", words)
        assert "To be deputy" in siege.last(merry.address).text
    if words != "asks you to be":
        siege.reply(merry.address, "CONFIRM\n", "confirm: orders")
        assert siege.orders() == ["ENDING 1000"]
