"""Emails about one act: one to each reader, about the state after all of it."""

import pytest

from tests.attacks.siege import FRODO, GM, SAM, Siege

MERRY = "merry@shire.example"
OVER = "[SW-1 FRODO] the game is over"
TITLES = ("THE VOTE", "FINAL STANDINGS", "THE GAME AS A BOOK")


def test_a_new_player_gets_the_report_that_the_same_email_corrects() -> None:
    siege = Siege()
    siege.later(days=6)
    siege.reply(GM, f"REPLACE SAM {MERRY}\nCORRECT a typing error\n[SAM]: (Score=481)\nEND\n")
    siege.reply(GM, "CONFIRM\n")
    assert siege.last(GM).subject == "Re: [SW-1 T2] done: REPLACE, CORRECT"
    (report,) = (got for got in siege.person(MERRY).got if "report" in got.subject)
    assert report is siege.last(MERRY)
    assert "Score=481" in report.text
    assert siege.got(SAM)[-1] == "[SW-1 T2] you no longer play SAM in SW-1"


@pytest.mark.sampled
def test_a_gm_gets_one_letter_about_an_absence_with_a_deputy() -> None:
    siege = Siege()
    days = "FROM 3 September TO 10 September"
    siege.reply(FRODO, f"ABSENT {days}\nDEPUTY {MERRY} {days}\n", "T1")
    siege.reply(FRODO, "CONFIRM\n", "confirm: DEPUTY")
    assert siege.got(GM) == ["[SW-1 T1] the player of FRODO announced an absence"]
    siege.reply(MERRY, "CONFIRM\n", "asks you to be")
    assert siege.got(GM)[1:] == ["[SW-1 T1] FRODO has a deputy"]


@pytest.mark.sampled
def test_the_letter_at_the_end_has_the_vote_the_standings_and_the_book() -> None:
    siege = Siege()
    siege.later(days=6)
    siege.reply(FRODO, "VOTE END\n", "T2")
    siege.reply(SAM, "YES\n", "vote: ")
    assert siege.got(FRODO)[-2:] == ["Re: [SW-1 T2 FRODO] done: VOTE", OVER]
    assert siege.got(GM)[-1] == "[SW-1] the game is over"
    letter = siege.last(FRODO, "the game is over")
    places = [letter.text.index(f"{title}\n") for title in TITLES]
    assert places == sorted(places)
    assert [*letter.files] == ["sw-1-record.json.gz", "sw-1-book.zip"]
