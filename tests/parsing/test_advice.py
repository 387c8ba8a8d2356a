"""The advice for words that are not an order."""

import pytest

from referee.parsing.items import Unparsed
from referee.parsing.reader import Reader
from referee.rules.ruleset import Separator
from tests.parsing.toy import language

BLANKS = Reader(language())
LINES = Reader(language(Separator.LINES))


@pytest.mark.parametrize(
    ("typed", "column", "reason", "advice"),
    [
        ("A01-ROM", 2, "numbers are written without leading zeros.", "A1-ROM would be read."),
        ("A1-ROM;", 7, "no full stop or other mark belongs here.", "A1-ROM would be read."),
        ("*A1-ROM", 1, "no mark stands here.", "A1-ROM would be read."),
        ("A1O-ROM", 3, "this is the letter O, not a zero.", "A10-ROM would be read."),
        ("A1-ROMREST", 7, "here another begins.", "Write A1-ROM REST with a blank."),
        ("A1ROM", 3, "after A1 must follow -.", "Did you mean A1-ROM?"),
        ("A1--ROM", 4, "where to?", ""),
        ("A0-ROM", 1, "no order begins with A.", ""),
        ("REST0", 5, "a number here is at least 1.", ""),
        ("A1 - ROM", 3, "an order is written without blanks.", "Did you mean A1-ROM?"),
        ("RESTT", 1, "there is no word RESTT.", "Did you mean REST?"),
        ("Q", 1, "no order begins with Q.", ""),
        ("\u04101-ROM", 1, "this is the Cyrillic letter A, which looks like A.",
         "A1-ROM in Latin letters would be read."),
        ("\u04161-ROM", 1, "this is the Cyrillic letter Zhe.", ""),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_fix(typed: str, column: int, reason: str, advice: str) -> None:
    (item,) = BLANKS.read(typed)
    assert isinstance(item, Unparsed)
    assert (item.column, item.reason, item.advice) == (column, reason, advice)


def test_a_word_after_an_order_is_answered_with_it() -> None:
    _, stray = BLANKS.read("REST 5")
    assert stray == Unparsed(
        "5",
        1,
        6,
        "this is no order of its own, and REST stands without it.",
        "If you mean REST5, write it without a blank.",
    )


def test_a_misspelt_word_keeps_what_follows_it() -> None:
    (item,) = LINES.read("RESST 4")
    assert item == Unparsed("RESST 4", 1, 1, "there is no word RESST.", "Did you mean REST 4?")
