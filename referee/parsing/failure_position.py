"""Where a text stops being an order, as Lark's own exceptions tell it."""

from typing import Any, Final, NamedTuple

from lark import Lark, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

END: Final = "$END"
"""What Lark calls the end of the text among the things it expects."""
_NOTHING: Final = {"<END-OF-FILE>"}
"""What Lark's lexer calls the end of the text where nothing else may follow."""


class ParseFailure(NamedTuple):
    """Where text stops being an order: the place, what could stand there, what stands there.

    *state* is the parser's, *kind* the terminal or character that stands there: two texts that
    stumble with the same two make the same mistake.
    """

    at: int
    expected: frozenset[str]
    state: int
    kind: str


def tree_of(parser: Lark, text: str) -> Tree[Any] | ParseFailure:
    """Return the tree of *text*, or the place where it stumbles."""
    try:
        return parser.parse(text)
    except UnexpectedInput as mistake:
        return _stumble(mistake, text)


def first_terminals(parser: Lark) -> frozenset[str]:
    """Return the terminals with which an order can begin."""
    begun: Any = parser.parse_interactive("")
    return frozenset(begun.accepts())


def _stumble(mistake: UnexpectedInput, text: str) -> ParseFailure:
    state: Any = mistake.state
    if isinstance(mistake, UnexpectedCharacters):
        allowed = frozenset(mistake.allowed or ())
        expected = frozenset({END}) if allowed == _NOTHING else allowed
        at = mistake.column - 1
        return ParseFailure(at, expected, state.position, text[at])
    assert isinstance(mistake, UnexpectedToken)
    at = len(text) if mistake.token.type == END else mistake.column - 1
    # What is accepted may be less than what is sought, but not at the beginning.
    expected = frozenset((at and mistake.accepts) or mistake.expected)
    return ParseFailure(at, expected, state.position, mistake.token.type)
