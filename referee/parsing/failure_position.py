"""Where a text stops being an order, read off the parser's own tables.

Lark says so too, by exceptions that cost more than all its parsing. What is found here is the
same; only nothing is built on the way.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from lark import Lark
from lark.lexer import TerminalDef

from referee.parsing.fast_path import FLAGS

END: Final = "$END"
"""What Lark calls the end of the text among the things it expects."""
_MOST_STACKS: Final = 1000
"""Of so many places in orders it is remembered what can stand there."""


class Stumble(NamedTuple):
    """Where text stops being an order: the place, what could stand there, what stands there.

    *state* is the parser's, *kind* the terminal or character that stands there: two texts that
    stumble with the same two make the same mistake.
    """

    at: int
    expected: frozenset[str]
    state: int
    kind: str


@dataclass(frozen=True, slots=True)
class _Lexer:
    """What the lexer looks for in some states, each terminal by its name, and how.

    Fixed text that the pattern of a wider terminal fits, too, is among the *swallowed* by it.
    """

    sought: frozenset[str]
    match: Callable[[str, int], re.Match[str] | None]
    swallowed: Mapping[str, Callable[[str], re.Match[str] | None]]


class Tables:
    """The tables of one parser, which is LALR and has a contextual lexer."""

    def __init__(self, parser: Lark) -> None:
        """Take them out of the parser."""
        begun: Any = parser.parse_interactive("")
        conf, lexers = begun.parser_state.parse_conf, begun.lexer_thread.lexer
        self._start: int = conf.start_state
        self._end: int = conf.end_state
        self._states: dict[int, dict[str, tuple[Any, Any]]] = conf.states
        self._ignored = frozenset(parser.ignore_tokens)
        # States in which the same may stand share a lexer.
        lexer_of = cache(self._lexer)
        self._anywhere = lexer_of(lexers.root_lexer)
        self._lexers = cache(lambda state: lexer_of(lexers.lexers[state]))
        self._accepted = lru_cache(_MOST_STACKS)(self._tried)

    def first_terminals(self) -> frozenset[str]:
        """Give the terminals with which an order can begin."""
        return self._accepted((self._start,))

    def stumble(self, text: str) -> Stumble | None:
        """Give the place where *text* stumbles, or None when it is an order."""
        stack, end, kind = [self._start], 0, ""
        while kind != END:
            lexer = self._lexers(stack[-1])
            at, end, kind = self._token(lexer, text, end)
            if not kind:
                return self._strange(lexer, text, at, stack)
            if not self._fed(stack, kind):
                known = frozenset(filter(str.isupper, self._states[stack[-1]]))
                return self._misplaced(kind, at, stack, known)
        return None

    def _strange(self, lexer: _Lexer, text: str, at: int, stack: list[int]) -> Stumble:
        """Tell what stands where nothing fits: a terminal of other places, or a mere character."""
        _, _, kind = self._token(self._anywhere, text, at)
        if kind:
            return self._misplaced(kind, at, stack, lexer.sought)
        # Where a lexer seeks nothing, the text has to end.
        return Stumble(at, lexer.sought or frozenset({END}), stack[-1], text[at])

    def _misplaced(self, kind: str, at: int, stack: list[int], sought: frozenset[str]) -> Stumble:
        # What is accepted may be less than what is sought, but not at the beginning.
        expected = (at and self._accepted(tuple(stack))) or sought
        return Stumble(at, expected, stack[-1], kind)

    def _lexer(self, lexer: Any) -> _Lexer:
        sought = frozenset(lexer.scanner.allowed_types - self._ignored)
        swallowed = {
            name: _expression(wide.scanner.terminals).fullmatch
            for name, wide in lexer.callback.items()
        }
        return _Lexer(sought, _expression(lexer.scanner.terminals).match, swallowed)

    def _token(self, lexer: _Lexer, text: str, at: int) -> tuple[int, int, str]:
        """Give where the next terminal begins and ends, and its name, empty when there is none."""
        found = lexer.match(text, at)
        while found is not None and found.lastgroup in self._ignored:
            at = found.end()
            found = lexer.match(text, at)
        if found is None:
            return at, at, "" if at < len(text) else END
        kind, end = found.lastgroup or "", found.end()
        if kind in lexer.swallowed and (fixed := lexer.swallowed[kind](found[0])):
            kind = fixed.lastgroup or kind
        return at, end, kind

    def _tried(self, stack: tuple[int, ...]) -> frozenset[str]:
        """Give the terminals that can stand after what brought the parser to *stack*."""
        sought = filter(str.isupper, self._states[stack[-1]])
        return frozenset(kind for kind in sought if self._fed(list(stack), kind))

    def _fed(self, stack: list[int], kind: str) -> bool:
        """Take a terminal onto *stack*; say whether it may stand there."""
        while kind in self._states[stack[-1]]:
            _, arg = self._states[stack[-1]][kind]
            if isinstance(arg, int):
                stack.append(arg)
                return True
            if arg.expansion:
                del stack[-len(arg.expansion) :]
            stack.append(self._states[stack[-1]][arg.origin.name][1])
            if kind == END and stack[-1] == self._end:
                return True
        return False


def _expression(terminals: Iterable[TerminalDef]) -> re.Pattern[str]:
    """Give the expression for the first of *terminals* that fits, named as the terminal."""
    named = [f"(?P<{terminal.name}>{terminal.pattern.to_regexp()})" for terminal in terminals]
    return re.compile("|".join(named) or "(?!)", FLAGS)
