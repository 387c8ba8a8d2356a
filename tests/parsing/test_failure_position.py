"""Where a text stumbles: the same place, by the tables, that Lark itself names."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from referee.parsing.failure_position import END, Stumble, Tables
from referee.parsing.language import parser_of
from tests.parsing.test_fast_path import TOKENS
from tests.support.examples import examples

STARWEB = parser_of("starweb.lark", "order")
COMMANDS = parser_of("commands.lark", "command")
WORDS = ("JOIN", "SW-1", "END", "as", "12", "RESIGN", "#", ",", "PRESS", "TO", "all", "'", "=", "x")
SWALLOWED = 'order : WORD "AND" WORD | "NOT" WORD\nWORD : /[A-Z]+/\n%ignore / +/'
NESTED = 'order : "(" order ")" | order "+" NUMBER | NUMBER\nNUMBER : /[0-9]+/'


def told_by_lark(parser: Lark, text: str) -> Stumble | None:
    """Give what Lark's exceptions say of *text*."""
    try:
        parser.parse(text)
    except UnexpectedInput as mistake:
        return _stumble(mistake, text)
    return None


def _stumble(mistake: UnexpectedInput, text: str) -> Stumble:
    state: Any = mistake.state
    if isinstance(mistake, UnexpectedCharacters):
        at, allowed = mistake.column - 1, frozenset(mistake.allowed or ())
        # Where nothing but the end may follow, Lark's lexer calls the end by another name.
        expected = frozenset({END}) if allowed == {"<END-OF-FILE>"} else allowed
        return Stumble(at, expected, state.position, text[at])
    assert isinstance(mistake, UnexpectedToken)
    at = len(text) if mistake.token.type == END else mistake.column - 1
    expected = frozenset((at and mistake.accepts) or mistake.expected)
    return Stumble(at, expected, state.position, mistake.token.type)


STARWEB_TABLES, COMMAND_TABLES = Tables(STARWEB), Tables(COMMANDS)


@examples(300)
@given(st.lists(st.sampled_from(TOKENS), max_size=7).map("".join))
@example("")
@example(" ")
@example("ENDING 8000")
@example("F3W5 ")
@example("F3W5 \u0416")
def test_an_order_stumbles_where_lark_says(text: str) -> None:
    assert STARWEB_TABLES.stumble(text) == told_by_lark(STARWEB, text)


@examples(150)
@given(st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join) | st.text(max_size=8))
def test_a_command_stumbles_where_lark_says(text: str) -> None:
    assert COMMAND_TABLES.stumble(text) == told_by_lark(COMMANDS, text)


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('order : "A" "B"', ("AB", "A", "ABA", "ABx", "B", "")),
        (SWALLOWED, ("A AND B", "NOT A", "NOT", "NOT AND", "A AND", "AND A AND", "a b", "A 1")),
        (NESTED, ("1", "(1", "((1)+2)", "1)", "(1)+", "+1", "(1)(", "()", "1+(2)", "", "x")),
    ],
)
def test_other_grammars_stumble_where_lark_says(source: str, texts: tuple[str, ...]) -> None:
    parser = parser_of(source, "order")
    tables = Tables(parser)
    assert [tables.stumble(text) for text in texts] == [told_by_lark(parser, t) for t in texts]
