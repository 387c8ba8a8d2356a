"""The position where parsing fails, what could be there, and what is there."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lark import Tree

from referee.parsing.language import END, ParseFailure, first_terminals, parser_of, tree_of
from tests.parsing.test_fast_path import TOKENS

STARWEB = parser_of("starweb.lark", "order")
COMMANDS = parser_of("commands.lark", "command")
WORDS = ("JOIN", "SW-1", "END", "as", "12", "RESIGN", "#", ",", "PRESS", "TO", "all", "'", "=", "x")
PAIR = 'order : "A" "B"'
SWALLOWED = 'order : WORD "AND" WORD | "NOT" WORD\nWORD : /[A-Z]+/\n%ignore / +/'
NESTED = 'order : "(" order ")" | order "+" NUMBER | NUMBER\nNUMBER : /[0-9]+/'


@pytest.mark.parametrize(
    ("source", "text", "at", "expected", "kind"),
    [
        (PAIR, "A", 1, {"B"}, END),
        (PAIR, "ABA", 2, {END}, "A"),
        (PAIR, "ABx", 2, {END}, "x"),
        (PAIR, "B", 0, {"A"}, "B"),
        (PAIR, "", 0, {"A"}, END),
        (SWALLOWED, "NOT", 3, {"WORD"}, END),
        (SWALLOWED, "A AND", 5, {"WORD"}, END),
        (SWALLOWED, "AND A AND", 4, {"AND"}, "WORD"),
        (SWALLOWED, "a b", 2, {"AND"}, "WORD"),
        (SWALLOWED, "A 1", 2, {"AND"}, "1"),
        (NESTED, "(1", 2, {"PLUS", "RPAR"}, END),
        (NESTED, "1)", 1, {"PLUS"}, "RPAR"),
        (NESTED, "(1)+", 4, {"NUMBER"}, END),
        (NESTED, "+1", 0, {"LPAR", "NUMBER"}, "PLUS"),
        (NESTED, "(1)(", 3, {END, "PLUS"}, "LPAR"),
        (NESTED, "()", 1, {"LPAR", "NUMBER"}, "RPAR"),
        (NESTED, "1+(2)", 2, {"NUMBER"}, "LPAR"),
        ("starweb.lark", "F3T", 3, {"NUMBER"}, END),
        ("starweb.lark", "F3W5 \u0416", 5, {"WORLD"}, "\u0416"),
    ],
)
def test_the_position_of_a_failure_is_found(
    source: str, text: str, at: int, expected: set[str], kind: str
) -> None:
    failure = tree_of(parser_of(source, "order"), text)
    assert isinstance(failure, ParseFailure)
    assert (failure.at, set(failure.expected), failure.kind) == (at, expected, kind)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (PAIR, "AB"),
        (SWALLOWED, "A AND B"),
        (SWALLOWED, "NOT AND"),
        (NESTED, "((1)+2)"),
        ("starweb.lark", "F3W5 "),
        ("starweb.lark", "ENDING 8000"),
    ],
)
def test_an_order_has_no_failure(source: str, text: str) -> None:
    assert isinstance(tree_of(parser_of(source, "order"), text), Tree)


def test_the_same_mistake_has_the_same_state_and_kind() -> None:
    first, second, other = (tree_of(STARWEB, text) for text in ("F3T", "F175T", "W3B"))
    assert isinstance(first, ParseFailure)
    assert isinstance(second, ParseFailure)
    assert isinstance(other, ParseFailure)
    assert (first.state, first.kind) == (second.state, second.kind)
    assert (first.state, first.kind) != (other.state, other.kind)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(TOKENS), max_size=7).map("".join))
@example("")
@example(" ")
def test_every_text_is_an_order_or_fails_within_it(text: str) -> None:
    found = tree_of(STARWEB, text)
    if isinstance(found, ParseFailure):
        assert 0 <= found.at <= len(text)
        assert (found.kind == END) == (found.at == len(text))
        assert found.kind not in found.expected
        assert found.expected <= {END} | {terminal.name for terminal in STARWEB.terminals}


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join) | st.text(max_size=8))
def test_every_text_is_a_command_or_fails_within_it(text: str) -> None:
    found = tree_of(COMMANDS, text)
    assert isinstance(found, Tree) or (0 <= found.at <= len(text) and found.expected)


def test_the_beginnings_of_a_language_are_known() -> None:
    assert first_terminals(parser_of(NESTED, "order")) == {"LPAR", "NUMBER"}
