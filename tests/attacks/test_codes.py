"""Attacks on security codes: guesses find none, and wrong codes lock out no right one."""

from email import message_from_bytes
from email.policy import SMTP

import pytest

from referee.desk.base import codes, ledger
from referee.desk.base.desk import Desk
from referee.domain.tokens import shows_token
from referee.store.people import people
from tests.attacks.siege import ACCOUNT, FRODO, GM, KEY, MALLORY, SAM, Siege

ORDER = "ENDING 1000\n"


def with_code(code: str, rest: str = ORDER) -> str:
    return f"SW-1 T1 [FRODO] F, #{ACCOUNT}, {code}\n{rest}"


def guess(siege: Siege, times: int) -> None:
    for number in range(times):
        siege.write(FRODO, with_code(f"AAAA22{number + 22}"))


def guess_often(siege: Siege, guessed: int = 0) -> None:
    """Guess until the wrong codes are too many, after *guessed* ones, and then once more."""
    with siege.store.write() as session:
        frodo = people.by_address(session, FRODO)
        assert frodo is not None
        most = codes.MOST - 1 - guessed
        ledger.book(Desk(session, siege.daemon.app.site, siege.now), codes.guesses(frodo, most))
    guess(siege, 2)


def test_the_right_code_is_believed() -> None:
    siege = Siege()
    siege.write(FRODO, with_code(siege.code(FRODO)))
    assert siege.orders() == ["ENDING 1000"]


def test_the_right_code_is_believed_wherever_it_is_sent_to() -> None:
    siege = Siege()
    siege.write(FRODO, with_code(siege.code(FRODO)), To=siege.last(SAM, "T1").reply_to)
    assert siege.orders() == ["ENDING 1000"]


def test_the_question_says_that_a_code_in_the_subject_is_not_read() -> None:
    siege = Siege()
    siege.write(FRODO, ORDER, f"SW-1 T1 [FRODO], #1002, {siege.code(FRODO)}")
    asked = siege.last(FRODO, "confirm")
    assert "with the security code is in the subject" in " ".join(asked.text.split())
    assert siege.orders() == ["ENDING 8000"]


def test_a_code_of_another_player_is_not_believed() -> None:
    siege = Siege()
    before = siege.picture()
    siege.write(FRODO, with_code(siege.code(SAM)))
    siege.write(MALLORY, with_code(siege.code(FRODO)))
    assert siege.picture() == before


@pytest.mark.slow
def test_wrong_codes_and_questions_do_not_lock_out_the_right_code() -> None:
    siege = Siege()
    before = siege.picture()
    guess(siege, 12)
    for number in range(8):
        siege.write(FRODO, f"ENDING {2000 + number}\n", "[SW-1 T1 FRODO]")
    assert siege.picture() == before
    siege.write(FRODO, with_code(siege.code(FRODO)))
    assert siege.orders() == ["ENDING 1000"]
    # What has consequences is asked about, although the other questions of the hour are used up.
    siege.write(FRODO, with_code(siege.code(FRODO), "RESIGN\n"))
    assert siege.last(FRODO).subject == "Re: [SW-1 T1 FRODO] confirm: RESIGN"


@pytest.mark.slow
def test_after_too_many_wrong_codes_the_right_one_is_asked_about() -> None:
    siege = Siege()
    guess(siege, 13)
    guess_often(siege, guessed=13)
    told = [subject for subject in siege.got(FRODO) if "wrong security codes" in subject]
    assert len(told) == 1
    siege.write(FRODO, with_code(siege.code(FRODO)))
    assert siege.orders() == ["ENDING 8000"]
    assert "The security code in it is right" in " ".join(siege.last(FRODO).text.split())
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.orders() == ["ENDING 1000"]
    siege.reply(FRODO, "ENDING 3000\n", "report")
    assert siege.orders() == ["ENDING 3000"]


def test_forged_guesses_leave_the_code_of_a_reply_alone() -> None:
    siege = Siege()
    with siege.store.write() as session:
        frodo = people.by_address(session, FRODO)
        assert frodo is not None
        # A reply proves nothing if the others of its sender are signed.
        frodo.signs = FRODO
    guess_often(siege)
    siege.write(FRODO, with_code(siege.code(FRODO)))
    assert siege.orders() == ["ENDING 8000"]
    siege.write(FRODO, with_code(siege.code(FRODO)), To=siege.last(FRODO, "T1").reply_to)
    assert siege.orders() == ["ENDING 1000"]


@pytest.mark.slow
def test_a_day_later_the_right_code_is_believed_again() -> None:
    siege = Siege()
    guess_often(siege)
    siege.later(hours=25)
    siege.write(FRODO, with_code(siege.code(FRODO)))
    assert siege.orders() == ["ENDING 1000"]


@pytest.mark.slow
def test_wrong_codes_for_one_player_do_not_matter_to_another() -> None:
    siege = Siege()
    guess_often(siege)
    siege.write(SAM, f"SW-1 T1 [SAM] S, #1003, {siege.code(SAM)}\nENDING 2000\n")
    assert siege.orders("SAM") == ["ENDING 2000"]
    assert siege.got(GM) == []


def test_my_data_shows_no_code_and_no_token() -> None:
    siege = Siege()
    code, token = siege.code(FRODO), siege.token(FRODO)
    siege.write(FRODO, with_code(code.lower()))
    siege.reply(FRODO, "MY DATA\n", "T1")
    raw = siege.last(FRODO, "what we store").raw
    (attached,) = message_from_bytes(raw, policy=SMTP).iter_attachments()
    shown = attached.get_content().decode()
    assert "welcome, you play FRODO" in shown
    assert f"#{ACCOUNT}, (security code)" in shown
    assert "games+(token)@" in shown
    assert code not in shown.upper()
    assert token not in shown
    assert not shows_token(shown.replace("\\n", " "), KEY)
