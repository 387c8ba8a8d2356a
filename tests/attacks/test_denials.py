"""Words that deny or contradict an answer or a command: nothing is done that may not be meant."""

import pytest

from tests.attacks.siege import FRODO, GM, SAM, Siege

DENIED = ["Do not do this:", "Not yet:", "Never:", "Please never do this:"]


@pytest.mark.parametrize(
    "words",
    [
        *(
            "I did not send this!\nCONFIRM",
            "NO\nCONFIRM",
            "CONFIRM\nNO",
            "Do not do this:\nCONFIRM",
        ),
        *("and so I certainly never want to\nCONFIRM", "YES\nNO"),
        "I say no\nYES",
    ],
)
def test_an_answer_that_is_denied_confirms_nothing(words: str) -> None:
    siege = Siege()
    siege.write(FRODO, "SW-1 T1 FRODO\nRESIGN\n")
    siege.reply(FRODO, f"{words}\n", "confirm: RESIGN")
    assert "you have left" not in siege.everything_mailed()
    assert siege.last(FRODO).subject.endswith("not confirmed yet: reply CONFIRM")
    siege.reply(FRODO, "Dear referee,\n\nCONFIRM\n", "confirm: RESIGN")
    assert siege.last(FRODO).subject.endswith("done: RESIGN")


@pytest.mark.parametrize(
    "words",
    [
        *("YES\nNO", "NO\nYES", "I say no\nYES", "Not yet:\nYES", "VOTE DRAW YES\nVOTE DRAW NO"),
        "Thank you. Your message was:\nTo vote, send one of\nVOTE DRAW YES\nVOTE DRAW NO\n",
    ],
)
def test_a_vote_that_is_denied_or_contradicted_does_not_count(words: str) -> None:
    siege = Siege()
    siege.reply(SAM, "VOTE DRAW\n", "T1")
    siege.reply(FRODO, f"{words}\n", "vote")
    assert "not counted" in siege.last(FRODO).text or "neither counts" in siege.last(FRODO).text
    siege.reply(FRODO, "YES\n", "vote")
    assert "has ended before its first turn" in siege.last(FRODO).text


@pytest.mark.parametrize("denial", DENIED)
@pytest.mark.parametrize("command", ["CLEAR", "CANCEL ENDING 8000", "UNDO", "FINAL", "WAIT"])
def test_a_command_below_a_line_that_denies_is_asked_about(denial: str, command: str) -> None:
    siege = Siege()
    siege.reply(FRODO, f"{denial}\n{command}\n", "T1")
    assert siege.orders() == ["ENDING 8000"]
    text = " ".join(siege.last(FRODO).text.split())
    assert "because a line with a colon above denies or asks" in text
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert f"done: {command.split()[0]}" in siege.last(FRODO).subject or siege.orders() == []


def test_a_command_of_a_gm_below_a_line_that_denies_is_asked_about() -> None:
    siege = Siege()
    siege.reply(GM, "Do not do this:\nHOLD\n", "SW-1")
    assert "confirm: HOLD" in siege.last(GM).subject
    assert "denies or asks" in " ".join(siege.last(GM).text.split())


@pytest.mark.parametrize(
    "words",
    [
        "ENDING 2000. Please do not file this. FINAL.",
        "ENDING 2000. I do not know yet. FINAL",
        "ENDING 2000. I shall say later. FINAL.",
    ],
)
def test_sentences_behind_an_order_are_not_taken_for_more(words: str) -> None:
    siege = Siege()
    siege.reply(FRODO, f"{words}\n", "T1")
    assert siege.orders() == ["ENDING 8000"]
    assert "You have sent FINAL" not in siege.last(FRODO).text


def test_help_that_anyone_could_have_sent_for_repeats_none_of_its_words() -> None:
    siege = Siege()
    siege.write(FRODO, "SW-1 T1 FRODO\nHELP F6W9 Pay at http://evil.example/x\n")
    assert "evil" not in siege.everything_mailed()
