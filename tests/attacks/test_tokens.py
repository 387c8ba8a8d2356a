"""Attacks with a token of another person: it acts only for its owner, and not for ever."""

from collections.abc import Callable

import pytest

from tests.attacks.siege import FRODO, GM, MALLORY, SAM, Siege

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


@pytest.mark.parametrize("name", ATTACKS)
def test_another_persons_token_changes_nothing(name: str) -> None:
    siege = Siege()
    before = siege.picture()
    ATTACKS[name](siege)
    after = siege.picture()
    assert (after.seats, after.people, after.press) == (before.seats, before.people, before.press)
    assert [row for row in after.sheets if row in before.sheets] == before.sheets
    assert len(after.sheets) == len(before.sheets)
    assert siege.person(MALLORY).got == [] or "FRODO" not in siege.last(MALLORY).text


def test_one_email_to_two_people_is_judged_for_each() -> None:
    siege = Siege()
    both = [to_token(siege, address) for address in (FRODO, SAM)]
    raw = siege.person(MALLORY).letter(", ".join(both), "orders", ORDER, siege.now, {})
    for recipient in both:
        siege.arrive(raw, recipient)
    for address in (FRODO, SAM):
        assert siege.got(address)[-1].endswith("confirm: orders")
