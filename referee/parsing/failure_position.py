"""The position where a text stops being an order, from Lark's own exceptions."""

from typing import Any, Final, NamedTuple

from lark import Lark, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

END: Final = "$END"
"""Lark's name for the end of the text among the expected terminals."""
_NOTHING: Final = {"<END-OF-FILE>"}
"""The lexer's name for the end of the text where nothing else can follow."""


class ParseFailure(NamedTuple):
    """The place where a text stops being an order: what could be there, and what is.

    *state* is the parser's state, *kind* the terminal or character found. Two texts that fail with
    the same pair contain the same mistake.
    """

    at: int
    expected: frozenset[str]
    state: int
    kind: str


def tree_of(parser: Lark, text: str) -> Tree[Any] | ParseFailure:
    """Return the tree of *text*, or where parsing failed."""
    try:
        return parser.parse(text)
    except UnexpectedInput as error:
        return _failure(error, text)


def first_terminals(parser: Lark) -> frozenset[str]:
    """Return the terminals with which an order can begin."""
    interactive: Any = parser.parse_interactive("")
    return frozenset(interactive.accepts())


def _failure(error: UnexpectedInput, text: str) -> ParseFailure:
    state: Any = error.state
    if isinstance(error, UnexpectedCharacters):
        allowed = frozenset(error.allowed or ())
        expected = frozenset({END}) if allowed == _NOTHING else allowed
        at = error.column - 1
        return ParseFailure(at, expected, state.position, text[at])
    assert isinstance(error, UnexpectedToken)
    at = len(text) if error.token.type == END else error.column - 1
    # The parser accepts fewer terminals than the lexer looks for, except at the beginning.
    expected = frozenset((at and error.accepts) or error.expected)
    return ParseFailure(at, expected, state.position, error.token.type)
