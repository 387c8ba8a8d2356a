"""Lines that begin with an everyday word which is also the first word of an order.

A line is words or a mistake by the grammar alone, because the answer decides whether FINAL counts.
"""

import pytest

from referee.parsing import advice
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.reader import Reader, reader_in_phase, reader_of
from referee.rules.ruleset import Grammar, Separator
from tests.support.corpora import GRAMMARS, remarks

SOURCE = """
order : bid | give | go | ask
bid  : "BID"i NUMBER
give : "GIVE"i NUMBER "TO"i NAME
go   : "GO"i NAME
ask  : "ASK"i NAME NUMBER
NUMBER : /[1-9][0-9]*/
NAME   : /[A-Z]{3,12}/i
%ignore " "
"""
RULES = dict.fromkeys(("bid", "give", "go", "ask"), lambda *parts: parts)
GRAMMAR = Grammar(SOURCE, RULES, separator=Separator.LINES)
READER = Reader(GRAMMAR)


def is_mistake(text: str) -> bool:
    """Return whether *text* is answered as an order with a mistake in it."""
    items = READER.read(text)
    assert not any(isinstance(item, Parsed) for item in items), items
    return any(isinstance(item, Unparsed) and item.reason != "" for item in items) and (
        not READER.advice.is_words(text)
    )


@pytest.mark.parametrize(
    "typed",
    [
        "GIVE",
        "give",
        "GIVE 5",
        "GIVE 5 BRUNO",
        "give 5 bruno",
        "Give 5 bruno.",
        "GIVE 5 TOO BRUNO",
        "GIVE 5 TO 6",
        "GIVE 5 coins TO BRUNO",
        "GO",
        "GO 5 BRUNO",
        "ASK 5 BRUNO",
        "BID BRUNO 5",
        "give 5?",
        "Go and ask your friends!",
        "ask them about the 5 coins I have",
    ],
)
def test_a_line_that_is_read_beyond_its_first_word_is_a_mistake(typed: str) -> None:
    assert is_mistake(typed)


@pytest.mark.parametrize(
    "typed",
    [
        "give me a break",
        "Give my regards to Bruno.",
        "Do not GIVE 5 BRUNO",
        "Go on without me, I am back on Monday.",
        "I would give 5 to Bruno",
    ],
)
def test_a_sentence_stays_a_remark(typed: str) -> None:
    assert not is_mistake(typed)


LATER = """
order : take
take : "TAKE"i NAME
NAME   : /[A-Z]{3,12}/i
%ignore " "
"""
TAKING = Grammar(LATER, {"take": str}, separator=Separator.LINES)
BIDDING = reader_in_phase(GRAMMAR, (TAKING,))
PICKING = reader_in_phase(TAKING, (GRAMMAR,))


@pytest.mark.parametrize(
    ("reader", "typed", "word"),
    [
        (BIDDING, "take lamp", "TAKE"),
        (BIDDING, "TAKE LAMP", "TAKE"),
        (PICKING, "bid 20", "BID"),
        (PICKING, "GIVE 5 TO BRUNO", "GIVE"),
        (PICKING, "give 5 to Bruno", "GIVE"),
        (PICKING, "GO", "GO"),
    ],
)
def test_an_order_of_another_phase_is_called_so(reader: Reader, typed: str, word: str) -> None:
    (item,) = reader.read(typed)
    assert isinstance(item, Unparsed)
    assert item.reason == f"{word} is an order of another phase."
    assert not reader.advice.is_words(typed)


@pytest.mark.parametrize("typed", ["I take it", "We give up.", "Let us go on"])
def test_a_sentence_with_a_word_of_another_phase_in_it_stays_a_remark(typed: str) -> None:
    assert PICKING.advice.is_words(typed)


@pytest.mark.slow
def test_no_list_of_everyday_words_tells_words_from_mistakes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [
        (reader_of(grammar), line)
        for game, grammar in GRAMMARS.items()
        for remark in remarks(game)
        for line in remark.text.splitlines()
    ]
    before = [reader.read(line) for reader, line in lines]
    monkeypatch.setattr(advice, "is_everyday", bool)
    assert [reader.read(line) for reader, line in lines] == before


def test_no_number_is_invented_for_an_order_of_words() -> None:
    (item,) = READER.read("BID")
    assert isinstance(item, Unparsed)
    assert (item.reason, item.advice) == ("Expected a number after BID, but found nothing.", "")
