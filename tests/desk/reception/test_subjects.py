"""What only the subject of an email says of the sheet, and answers to the questions about that."""

import pytest

from tests.attacks.siege import FRODO, Siege

OLD, NEW = "ENDING 8000", "ENDING 2000"


@pytest.mark.parametrize(
    "subject",
    [
        *(
            "ADD FINAL",
            "[EXT] Re: ADD",
            "*** SPAM *** ADD",
            "ADD (was: Re: [SW-1 T1 FRODO] orders)",
        ),
        *("ADD - SW-1 T1", "Please CHECK", "Antwort: test only, CHECK", "add"),
        *("T2 FINAL", "Re: [SW-1 T1 FRODO] T2", "T2 orders", "Orders for turn 2"),
    ],
)
def test_what_the_subject_says_of_the_sheet_is_a_doubt(subject: str) -> None:
    siege = Siege()
    siege.reply(FRODO, f"{NEW}\n", "T1", Subject=subject)
    assert siege.last(FRODO).subject.endswith("not filed: orders; reply YES or ADD")
    assert siege.orders() == [OLD]


@pytest.mark.parametrize(
    "subject",
    [
        *(
            "Turn 1 orders",
            "T1",
            "orders, please add them",
            "my check of all",
            "Re: [SW-1 T1] ORDERS",
        ),
        *("Re: [SW-1 T1 FRODO] report", "", "turn", "20 orders"),
    ],
)
def test_what_the_subject_does_not_say_is_none(subject: str) -> None:
    siege = Siege()
    siege.reply(FRODO, f"{NEW}\n", "T1", Subject=subject)
    assert siege.orders() == [NEW]


def test_a_turn_in_the_text_counts_more_than_one_in_the_subject() -> None:
    siege = Siege()
    siege.reply(FRODO, f"SW-1 T1 FRODO\n{NEW}\n", "T1", Subject="T2 orders")
    assert siege.orders() == [NEW]


@pytest.mark.parametrize("subject", ["CHECK!", "Check: my orders", "Re: CHECK"])
def test_a_subject_that_begins_with_check_is_a_check(subject: str) -> None:
    siege = Siege()
    siege.reply(FRODO, f"{NEW}\n", "T1", Subject=subject)
    assert siege.orders() == [OLD]
    assert "nothing was filed" in " ".join(siege.last(FRODO).text.split()).lower()


@pytest.mark.parametrize("words", ["YES FINAL", "YES. FINAL.", "yes, FINAL", "YES\nFINAL"])
def test_a_yes_before_final_answers_the_question_and_final_is_named(words: str) -> None:
    siege = Siege()
    siege.reply(FRODO, f"{NEW}\n", "T1", Subject="ADD")
    siege.reply(FRODO, f"{words}\n", "not filed")
    assert siege.orders() == [NEW]
    text = siege.last(FRODO).text
    assert "You have sent FINAL" not in text
    assert "The email only answers our question" in " ".join(text.split())


def test_final_and_status_name_an_email_whose_question_is_open() -> None:
    siege = Siege()
    siege.reply(FRODO, f"{NEW}\n", "T1", Subject="ADD")
    siege.reply(FRODO, "FINAL\n", "T1")
    assert siege.last(FRODO).subject.endswith("done: FINAL")
    assert "You have not answered our question" in " ".join(siege.last(FRODO).text.split())
    siege.reply(FRODO, "STATUS\n", "T1")
    assert "You have not answered our question" in " ".join(siege.last(FRODO).text.split())
    siege.reply(FRODO, "YES\n", "not filed")
    siege.reply(FRODO, "FINAL\nSTATUS\n", "T1")
    assert "answered our question" not in " ".join(siege.last(FRODO).text.split())
