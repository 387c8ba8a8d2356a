"""The fast path reads the same orders as the parser."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.parsing.language import Language, ParseFailure
from referee.parsing.reader import reader_of
from referee.rules.ruleset import Grammar, Separator, UserError
from referee.rulesets.starweb.language import GRAMMAR
from tests.support.corpora import GRAMMARS, sheets
from tests.support.examples import examples

BY_FORMS = Language(GRAMMAR)
# Only the parser reads a language of whole lines.
BY_PARSER = Language(replace(GRAMMAR, separator=Separator.LINES))
TOKENS = (
    *("F3", "W75", "I9", "P12", "C4", "V100", "F0", "5", "12", "0", "=", "HATYSA", "ENDING", " "),
    *("A", "B", "C", "D", "G", "H", "I", "J", "L", "M", "N", "P", "Q", "R", "S", "T", "U", "W"),
    *("X", "Z", "f7", "k", "\u017f", "F1W2"),
)
SAME_START = """
order : one | other
one   : "A" NUMBER
other : LETTER NUMBER
%import .common (NUMBER)
LETTER : /[AB]/
"""


def outcome(language: Language, text: str) -> object:
    """Return the order in *text*, or why it is rejected, or that it is not an order."""
    try:
        order = language.read(text)
    except UserError as mistake:
        return str(mistake)
    return ParseFailure if isinstance(order, ParseFailure) else order


@examples(400)
@given(st.lists(st.sampled_from(TOKENS), max_size=7).map("".join))
@example("F3T4F17")
@example("F119W5W18F3T1P")
@example("ENDING8000")
@example("ENDING 8000")
def test_forms_and_parser_read_the_same(text: str) -> None:
    assert outcome(BY_FORMS, text) == outcome(BY_PARSER, text)
    assert BY_FORMS.understands(text) == BY_PARSER.understands(text)
    assert not BY_FORMS.understands(text) or BY_FORMS.begun_at.search(text)


@pytest.mark.parametrize("game", GRAMMARS)
def test_where_an_order_is_typed_one_can_begin(game: str) -> None:
    language = Language(GRAMMARS[game])
    are_lines = GRAMMARS[game].separator is Separator.LINES
    for order in {order for sheet in sheets(game) for order in sheet}:
        typed = [f"{order[:at]} {order[at:]}" for at in range(1, len(order))]
        for text in (order, order.lower(), *([] if are_lines else [*typed, " ".join(order)])):
            assert language.begun_at.match(text)
            assert language.begun_at.search(f"1.) *{text}*")
            assert not language.begun_at.match(f"x{text}", 1)
        assert language.begun_at.match(order.replace("=", ">="))


@pytest.mark.parametrize("text", ["A5", "B5", "C5", "A", ""])
def test_where_two_forms_fit_the_parser_decides(text: str) -> None:
    orders = {"one": lambda *found: ("one", *found), "other": lambda *found: ("other", *found)}
    grammar = Grammar(source=SAME_START, orders=orders)
    by_parser = Language(replace(grammar, separator=Separator.LINES))
    assert outcome(Language(grammar), text) == outcome(by_parser, text)


def test_a_grammar_has_one_reader() -> None:
    assert reader_of(GRAMMAR) is reader_of(GRAMMAR)
    assert reader_of(replace(GRAMMAR)) is not reader_of(GRAMMAR)


def test_one_rule_can_drop_a_word_that_another_keeps() -> None:
    source = 'order : one | other\none : "A" P\nother : "B" "P"\nP : "P"'
    orders = {"one": lambda *found: ("one", *found), "other": lambda *found: ("other", *found)}
    grammar = Grammar(source=source, orders=orders)
    by_parser = Language(replace(grammar, separator=Separator.LINES))
    for text in ("AP", "BP", "AB", "P"):
        assert outcome(Language(grammar), text) == outcome(by_parser, text)
        assert Language(grammar).understands(text) == by_parser.understands(text)
