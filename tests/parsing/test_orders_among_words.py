"""Lines of orders with one word too many: a mistake that counts all their orders, no remark."""

import pytest

from referee.parsing.body import read_body
from referee.parsing.items import Unparsed
from referee.parsing.lines import numbered
from referee.parsing.reader import reader_of
from tests.support.corpora import GRAMMARS


def unread(typed: str) -> Unparsed:
    """Return the only item of a line of StarWeb, in which nothing can be read."""
    (item,) = read_body(numbered(typed), reader_of(GRAMMARS["starweb"])).items
    assert isinstance(item, Unparsed)
    return item


@pytest.mark.parametrize(
    ("typed", "reason", "others"),
    [
        ("F23W9 CANCEL F23W47 F46W32", "CANCEL goes on a line of its own.", 3),
        ("F23W9 cancel F23W47", "CANCEL goes on a line of its own.", 2),
        ("F3W7 UNDO", "UNDO goes on a line of its own.", 1),
        ("W10B1FB1S please", "Expected I, P, R or a code like F5 after W10B1, but found FB.", 0),
    ],
)
def test_a_word_too_many_is_a_mistake(typed: str, reason: str, others: int) -> None:
    item = unread(typed)
    assert (item.is_words, item.is_command, item.reason, item.others) == (
        False,
        False,
        reason,
        others,
    )


@pytest.mark.parametrize(
    "typed",
    ["Please cancel the F3W7 party", "I like F55W41"],
)
def test_words_around_an_order_stay_a_remark(typed: str) -> None:
    assert unread(typed).is_words


@pytest.mark.parametrize(
    ("typed", "mark", "orders"),
    [("#1 F3W7", "#1", 1), ("#2: F3W7 F4W8", "#2", 2), ("# 3) F3W7", "# 3", 1)],
)
def test_a_number_sign_that_hides_an_order_is_named(typed: str, mark: str, orders: int) -> None:
    item = unread(typed)
    assert (item.text, item.is_words, item.others) == (typed, False, orders)
    assert item.reason == "A line that begins with # is a note, so it was not read."
    assert item.advice == f"Write the order without {mark}."


@pytest.mark.parametrize("typed", ["# F3W7", "#1 is F3W7, I think", "#41", "# 30 industry", "#3W7"])
def test_a_note_is_no_mistake(typed: str) -> None:
    assert read_body(numbered(typed), reader_of(GRAMMARS["starweb"])).items == ()
