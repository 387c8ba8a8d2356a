"""Emails with the marks of a mailing list or of bulk mail that a player's server writes."""

import pytest

from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from tests.attacks.siege import FRODO, Siege


@pytest.mark.parametrize("mark", [{"Precedence": "bulk"}, {"List_Id": "<games.example>"}])
def test_a_command_in_a_reply_with_such_a_mark_is_done(mark: dict[str, str]) -> None:
    siege = Siege()
    siege.reply(FRODO, "ENDING 2000\nFINAL\n", "T1")
    assert "You have sent FINAL" in siege.last(FRODO).text
    siege.reply(FRODO, "WAIT\n", "T1", **mark)
    assert siege.last(FRODO).subject.endswith("done: WAIT")
    with siege.store.read() as session:
        assert not inbox.listing(session, InboxState.UNASKED, 9)
    siege.reply(FRODO, "STATUS\n", "T1")
    assert "You have not sent FINAL." in siege.last(FRODO).text


@pytest.mark.parametrize("word", ["CONFIRM", "YES", "yes, please"])
def test_such_a_mark_on_the_answer_to_the_question_about_an_own_email_does_not_matter(
    word: str,
) -> None:
    siege = Siege()
    siege.reply(FRODO, "RESIGN\n", "T1")
    words = "Thank you for your email! To CONFIRM nothing is needed.\n"
    siege.reply(FRODO, words, "confirm", Precedence="bulk")
    assert "confirm" in siege.last(FRODO).subject
    siege.reply(FRODO, f"{word}\n", "confirm", Precedence="bulk")
    assert siege.last(FRODO).subject.endswith("done: RESIGN")
    before = len(siege.got(FRODO))
    siege.reply(FRODO, f"{word}\n", "confirm", Precedence="bulk")
    assert len(siege.got(FRODO)) == before


@pytest.mark.parametrize("word", ["CONFIRM", "YES"])
def test_such_a_mark_on_the_answer_to_the_question_about_a_forged_email_counts(word: str) -> None:
    siege = Siege()
    siege.write(FRODO, "ENDING 1000\n", "[SW-1 T1 FRODO] my orders")
    before = siege.orders()
    siege.reply(FRODO, f"{word}\n", "confirm", Precedence="bulk")
    assert siege.orders() == before
    siege.reply(FRODO, f"{word}\n", "confirm")
    assert siege.orders() == ["ENDING 1000"]


def test_a_program_that_changes_something_each_time_gets_as_many_answers_as_if_it_had_not() -> None:
    siege = Siege()
    words = ("SET ZONE Europe/Paris\n", "SET ZONE Europe/Berlin\n")
    for number in range(20):
        siege.reply(FRODO, words[number % 2], "T1", Precedence="bulk")
    assert 1 <= len(siege.got(FRODO)) <= 10
