"""Emails with the marks of a mailing list or of bulk mail that a player's server writes."""

import pytest

from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from tests.attacks.siege import FRODO, SAM, Siege


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


@pytest.mark.sampled
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
    for _ in range(3):
        siege.reply(FRODO, f"{word}\n", "confirm:", Precedence="bulk")
    assert siege.orders() == before
    assert len(siege.got(FRODO)) == 2
    assert siege.last(FRODO).subject.endswith("not confirmed yet: send it again")
    siege.reply(FRODO, f"{word}\n", "send it again")
    assert siege.orders() == ["ENDING 1000"]
    siege.reply(FRODO, "ENDING 2000\n", "send it again", Precedence="bulk")
    assert siege.orders() == ["ENDING 2000"]


@pytest.mark.slow
def test_a_program_that_changes_something_each_time_gets_as_many_answers_as_if_it_had_not() -> None:
    siege = Siege()
    words = ("SET ZONE Europe/Paris\n", "SET ZONE Europe/Berlin\n")
    for number in range(20):
        siege.reply(FRODO, words[number % 2], "T1", Precedence="bulk")
    assert 1 <= len(siege.got(FRODO)) <= 10


@pytest.mark.parametrize(
    ("words", "subject"),
    [
        ("F250W251\n", "not filed: orders; reply YES or ADD"),
        ("ENDING 1000 (or ENDING 2000)\n", "1 order rejected (#2)"),
        ("ENDNG\n", "1 order rejected (#2)"),
        ("RESGN\n", "not done: RESGN"),
        ("maybe ENDING 1000 later\n", "no orders in your email (#2)"),
        ("RESIGN\n", "confirm: RESIGN"),
        ("STATUS\n", "answer: STATUS"),
    ],
)
def test_an_own_email_with_such_a_mark_is_answered_once_a_day_in_the_same_words(
    words: str, subject: str
) -> None:
    siege = Siege()
    for _ in range(3):
        siege.reply(FRODO, words, "T1", Precedence="bulk")
    assert [each.rpartition("] ")[2] for each in siege.got(FRODO)] == [subject]
    with siege.store.read() as session:
        assert len(inbox.listing(session, InboxState.UNASKED, 9)) == 2
    siege.later(hours=25)
    siege.reply(FRODO, f"Hello again,\n{words}", "T1", Precedence="bulk")
    assert siege.got(FRODO)[-1].partition(" (")[0].endswith(subject.partition(" (")[0])


@pytest.mark.parametrize("words", ["Thank you.\n", "I am away until Monday.\n\nFrodo\n"])
def test_words_with_such_a_mark_stay_without_an_answer(words: str) -> None:
    siege = Siege()
    siege.reply(FRODO, words, "T1", Precedence="bulk")
    assert siege.got(FRODO) == []


def test_each_change_of_readiness_with_such_a_mark_is_answered() -> None:
    siege = Siege()
    for word in ("WAIT", "FINAL", "WAIT", "FINAL", "FINAL"):
        siege.reply(FRODO, f"{word}\n", "T1", Precedence="bulk")
    done = ["WAIT", "FINAL", "WAIT", "FINAL"]
    assert [each.rpartition(" ")[2] for each in siege.got(FRODO)] == done


@pytest.mark.parametrize("words", ["UNDO\nENDING 1000\n", "CLEAR\nENDING 1000\nFINAL\n"])
def test_what_a_program_takes_back_and_does_again_is_answered_once(words: str) -> None:
    siege = Siege()
    for _ in range(9):
        siege.reply(FRODO, words, "T1", Precedence="bulk")
    assert siege.orders() == ["ENDING 1000"]
    assert len(siege.got(FRODO)) == 1


def test_final_with_such_a_mark_next_to_a_file_that_is_not_read_is_asked_about() -> None:
    siege = Siege()
    parts = (
        "--b\nContent-Type: text/plain\n\nFINAL\n"
        "--b\nContent-Type: application/ms-tnef\n"
        'Content-Disposition: attachment; filename="winmail.dat"\n\nx\n--b--\n'
    )
    kind = "multipart/mixed; boundary=b"
    for _ in range(2):
        siege.reply(FRODO, parts, "T1", Precedence="bulk", Content_Type=kind)
    assert [each.rpartition("] ")[2] for each in siege.got(FRODO)] == ["confirm: FINAL"]


def edited(siege: Siege, words: str, typed: str, instead: str, **headers: str) -> None:
    """Reply to the last email with that in its subject, and edit a line of its sheet."""
    quoted = "".join(f"> {line}\n" for line in siege.last(FRODO, words).text.splitlines())
    assert f"> {typed}\n" in quoted.replace(">   ", "> ")
    body = f"\nOn Monday, the referee wrote:\n{quoted.replace(typed, instead)}"
    siege.reply(FRODO, body, words, **headers)


def test_a_sheet_that_is_edited_in_a_quote_with_such_a_mark_is_asked_about() -> None:
    siege = Siege()
    siege.reply(FRODO, "ENDING 2000\n", "T1")
    for _ in range(2):
        edited(siege, "accepted", "ENDING 2000", "ENDING 3000", Precedence="list")
    assert siege.last(FRODO).subject.endswith("not filed: orders; reply YES or ADD")
    assert "the sheet that it quotes" in " ".join(siege.last(FRODO).text.split())
    assert siege.orders() == ["ENDING 2000"]
    assert len(siege.got(FRODO)) == 2
    siege.reply(FRODO, "YES\n", "not filed", Precedence="list")
    assert siege.orders() == ["ENDING 3000"]


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        ("FINAL", "Thanks, Frodo\n"),
        ("ENDING 2000", "Thanks, Frodo\n"),
        ("", "Thanks, Frodo\n-- \nENDING 2000\n"),
        ("", "> ENDING 2000\n> FINAL\n"),
    ],
)
def test_orders_in_a_part_that_is_not_read_are_named_once_with_such_a_mark(
    subject: str, words: str
) -> None:
    siege = Siege()
    headers = {"Subject": subject} if subject else {}
    for _ in range(2):
        siege.reply(FRODO, words, "T1", List_Id="<games.example>", **headers)
    assert len(siege.got(FRODO)) == 1
    assert "NOT DONE (1)" in siege.last(FRODO).text
    assert siege.orders() == ["ENDING 8000"]


def test_the_same_words_with_such_a_mark_are_answered_again_in_the_next_turn() -> None:
    siege = Siege()
    siege.reply(FRODO, "ORDERS\n", "T1", Precedence="bulk")
    for player in (FRODO, SAM):
        siege.reply(player, "FINAL\n", "T1")
    siege.later(hours=1)
    siege.reply(FRODO, "ORDERS\n", "T2", Precedence="bulk")
    assert [each.rpartition("] ")[2] for each in siege.got(FRODO)].count("answer: ORDERS") == 2


def test_a_vacation_note_with_such_a_mark_is_asked_about_like_one_without() -> None:
    siege = Siege()
    siege.reply(FRODO, "ENDING 2000\nFINAL\n", "T1", Precedence="bulk", Subject="Out of office")
    assert siege.orders() == ["ENDING 8000"]
    assert "confirm" in siege.last(FRODO).subject


def test_a_summary_that_lists_not_all_letters_says_so() -> None:
    siege = Siege()
    for number in range(30):
        siege.reply(FRODO, f"ENDING {number}000\n", "T1", Auto_Submitted="auto-replied")
    siege.later(days=1)
    text = siege.last("operator@referee.example", "daily summary").text
    assert text.count("machine, with orders") == 20
    assert "and more: referee mail list --state unasked" in text


def test_what_a_marked_email_repeats_or_moves_is_no_letter_that_was_not_done() -> None:
    siege = Siege()
    for _ in range(2):
        siege.reply(FRODO, "ADD\nENDING 2000\n", "T1", Precedence="bulk")
        siege.reply(FRODO, "ENDING 2000\nENDING 8000\n", "T1", Precedence="bulk")
    with siege.store.read() as session:
        assert not inbox.listing(session, InboxState.UNASKED, 9)
