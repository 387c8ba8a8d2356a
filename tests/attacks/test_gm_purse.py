"""Forged letters in a GM's name: they never lock the GM out, and what is not done is said."""

import logging
import re
from dataclasses import replace

import pytest

from referee.desk.base import ledger
from referee.desk.base.desk import Desk
from referee.domain.shares import Charge, Key, Thing
from referee.domain.tokens import Kind, verify
from referee.store.games import games
from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.store.models import GameStatus
from tests.attacks.siege import FRODO, GM, KEY, MALLORY, SAM, Siege

TAG = "[SW-1]"


def forge(siege: Siege, number: int = 12) -> None:
    for _ in range(number):
        siege.write(GM, "GM SW-1\nEXTEND 1 day\n")


def status(siege: Siege) -> GameStatus:
    with siege.store.read() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        return game.status


def numbers(siege: Siege, state: InboxState) -> list[int]:
    with siege.store.read() as session:
        return [row.id for row in inbox.listing(session, state, 50)]


@pytest.mark.slow
def test_a_gm_who_replies_holds_the_game_after_any_number_of_forged_letters() -> None:
    siege = Siege()
    forge(siege, 13)
    siege.reply(GM, "HOLD\n", "is open")
    assert status(siege) is GameStatus.HELD


@pytest.mark.slow
def test_a_gms_own_changes_are_all_made() -> None:
    siege = Siege()
    for number in range(13):
        siege.reply(GM, f"TITLE Name {number}\n", "is open")
    assert len([subject for subject in siege.got(GM) if "done: TITLE" in subject]) == 13


@pytest.mark.slow
def test_a_confirmation_gives_back_what_the_question_cost() -> None:
    siege = Siege()
    for number in range(13):
        siege.write(GM, f"GM SW-1\nTITLE Name {number}\n")
        siege.reply(GM, "CONFIRM\n", "confirm: TITLE")
    asked = [subject for subject in siege.got(GM) if "confirm: TITLE" in subject]
    assert len(asked) == 13


@pytest.mark.slow
def test_what_nobody_is_asked_about_is_said_to_be_not_done(
    caplog: pytest.LogCaptureFixture,
) -> None:
    siege = Siege()
    forge(siege)
    with caplog.at_level(logging.WARNING):
        siege.write(GM, "GM SW-1\nHOLD BECAUSE of floods\n")
    assert status(siege) is GameStatus.RUNNING
    (number,) = numbers(siege, InboxState.UNASKED)
    assert siege.last(GM).subject == "Re: [SW-1 T1] not done: too many emails to confirm"
    assert "We still carry out every order" not in siege.everything_mailed()
    # The next ones are not done either, and get no letter, so this one says it of all.
    said = " ".join(siege.last(GM).text.split())
    assert "We neither do such emails nor ask about them for an hour." in said
    assert f'"letter not done, nobody could be asked" letter={number}' in caplog.text
    siege.later(hours=19)
    digest = next(got for got in siege.person("operator@referee.example").got)
    assert "NOT DONE, NOBODY WAS ASKED" in digest.text
    assert f"email #{number}: was not done, and nobody could be asked" in digest.text


@pytest.mark.slow
def test_the_operator_releases_what_nobody_was_asked_about() -> None:
    siege = Siege()
    forge(siege)
    siege.write(GM, "GM SW-1\nHOLD BECAUSE of floods\n")
    (number,) = numbers(siege, InboxState.UNASKED)
    with siege.store.write() as session:
        assert inbox.release(session, number) is not None
    siege.later(minutes=1)
    assert status(siege) is GameStatus.HELD
    assert numbers(siege, InboxState.UNASKED) == []


def token(siege: Siege) -> str:
    return re.sub(r"^games\+|@.*$", "", siege.last(GM, "is open").reply_to)


@pytest.mark.slow
def test_forged_letters_with_a_gms_token_lock_no_exit() -> None:
    siege = Siege()
    to = f"games+{token(siege)}@referee.example"
    for number in range(61):
        siege.write(GM, f"GM SW-1\nHOLD BECAUSE of flood {number}\n", TAG, To=to)
    siege.reply(GM, "SET TOKENS NEW\n", "is open")
    assert "confirm: SET TOKENS" in siege.got(GM)[-1]
    siege.reply(GM, "HOLD\n", "is open")
    assert status(siege) is GameStatus.HELD


@pytest.mark.slow
def test_new_tokens_answer_after_a_thief_has_used_up_the_answers() -> None:
    siege = Siege()
    old = f"games+{token(siege)}@referee.example"
    with siege.store.write() as session:
        desk = Desk(session, siege.daemon.app.site, siege.now)
        used = Charge(Thing.WORK, {Key.PERSON: GM, Key.PERSON_IN_GAME: f"{GM} SW-1"}, 250)
        ledger.book(desk, used, replace(used, thing=Thing.CHANGE, amount=500))
    for _ in range(9):
        siege.write(GM, "GM SW-1\nSTATUS\n", TAG, To=old)
    assert [subject for subject in siege.got(GM) if "STATUS" in subject] == siege.got(GM)[:4]
    siege.reply(GM, "SET TOKENS NEW\n", "is open")
    siege.reply(GM, "CONFIRM\n", "confirm: SET TOKENS")
    siege.reply(GM, "GM SW-1\nHOLD\n", "no longer act")
    siege.reply(GM, "CONFIRM\n", "confirm: HOLD")
    new = siege.last(GM, "done: HOLD")
    for _ in range(9):
        siege.write(GM, "GM SW-1\nSTATUS\n", TAG, To=old)
    before = len(siege.got(GM))
    siege.write(GM, "GM SW-1\nSTATUS\n", TAG, To=new.reply_to)
    assert siege.got(GM)[before:] == ["Re: [SW-1 T1] answer: STATUS"]


@pytest.mark.slow
def test_forged_letters_with_a_players_token_lock_no_exit() -> None:
    siege = Siege()
    to = f"games+{siege.token(FRODO)}@referee.example"
    for number in range(61):
        siege.write(FRODO, f"RESIGN\nSTANDING\nENDING {1000 + number}\nEND\n", TAG, To=to)
    siege.reply(FRODO, "SET TOKENS NEW\n", "T1")
    assert "confirm: SET TOKENS" in siege.got(FRODO)[-1]
    siege.reply(FRODO, "CONFIRM\n", "confirm: SET TOKENS")
    assert "earlier emails no longer act for you" in siege.got(FRODO)[-1]


def test_a_thief_of_a_reply_address_cannot_withdraw_the_wish_for_new_ones() -> None:
    siege = Siege()
    to = f"games+{siege.token(FRODO)}@referee.example"
    siege.reply(FRODO, "SET TOKENS NEW\n", "T1")
    siege.write(FRODO, "UNDO\n", TAG, To=to)
    siege.reply(FRODO, "CONFIRM\n", "confirm: SET TOKENS")
    assert "earlier emails no longer act for you" in siege.got(FRODO)[-1]


@pytest.mark.slow
def test_a_gms_token_is_believed_only_from_the_gms_address() -> None:
    siege = Siege()
    found = token(siege)
    proof = verify(found, KEY)
    assert proof is not None
    assert proof.kind is Kind.GM
    to = f"games+{found}@referee.example"
    forge(siege)
    for sender in (MALLORY, FRODO, SAM):
        siege.write(sender, "GM SW-1\nHOLD\n", TAG, To=to)
    assert "confirm: HOLD" not in " ".join(
        subject for who in (GM, MALLORY, FRODO, SAM) for subject in siege.got(who)
    )
    assert status(siege) is GameStatus.RUNNING
    # From the GM's address it is proven.
    siege.write(GM, "GM SW-1\nHOLD\n", TAG, To=to)
    assert status(siege) is GameStatus.HELD


def test_a_gms_token_proves_no_letter_about_another_game() -> None:
    siege = Siege()
    to = f"games+{token(siege)}@referee.example"
    siege.write(GM, 'CREATE STARWEB SEATS 2 DEADLINE "1 day"\n', To=to)
    assert "confirm: CREATE" in siege.last(GM).subject


def test_others_cannot_block_a_change_of_address() -> None:
    siege = Siege()
    wanted = "frodo@new.example"
    for _ in range(3):
        siege.reply(SAM, f"SET ADDRESS {wanted}\n", "T1")
    siege.reply(FRODO, f"SET ADDRESS {wanted}\n", "T1")
    assert any("confirm" in subject.lower() for subject in siege.got(FRODO))
    assert len(siege.got(wanted)) == 4
    siege.reply(SAM, f"SET ADDRESS {wanted}\n", "T1")
    assert len(siege.got(wanted)) == 4
