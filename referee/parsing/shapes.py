"""The forms of order in a language, read from its grammar.

A form is one alternative of a rule, with or without an optional part. Of a repetition, the first
part counts. A terminal of two or three single letters, such as ``/[IP]/``, makes a form for each
letter, because each orders something else. More letters, as for types of ships, are only values.
"""

import re
from collections.abc import Iterator, Sequence
from copy import copy
from functools import partial
from itertools import product
from typing import Any, Final, NamedTuple

from lark import Token
from lark.grammar import Rule, Symbol
from lark.lexer import TerminalDef

from referee.parsing.fast_path import FLAGS
from referee.parsing.language import fixed_text, parser_of
from referee.rules.ruleset import Grammar

_START: Final = "order"
_REPETITION: Final = "__"
"""The beginning of the names of the rules that Lark makes for repetitions."""
_MOST_LETTERS: Final = 3
_CHARACTERS: Final = [chr(code) for code in range(33, 127) if not chr(code).islower()]


class Shapes:
    """The forms of the orders of one grammar, and of their parts.

    A form is written with the name of its rule, as ``load: FLEET L NUMBER``. The form of a block is
    its key.
    """

    def __init__(self, grammar: Grammar) -> None:
        self._blocks = [key.upper() for key in grammar.blocks]
        self._parser = parser_of(grammar.source, _START)
        self._rules = self._parser.rules
        self._words = {terminal.name: _words(terminal) for terminal in self._parser.terminals}

    def all(self) -> list[str]:
        """Return all forms, in the sequence of the grammar."""
        rules = filter(_has_form, self._rules)
        forms = (_form(rule, text) for rule in rules for text in self._texts(rule.expansion))
        return [*dict.fromkeys(forms), *self._blocks]

    def of(self, text: str) -> set[str]:
        """Return the forms in an order, or in a block of which *text* is the key.

        Raises an exception of Lark if the text is neither.
        """
        if text.upper() in self._blocks:
            return {text.upper()}
        # Lark's own tree does not say which alternative of a rule it is.
        interactive: Any = self._parser.parse_interactive(text)
        state = interactive.parser_state
        state.parse_conf = copy(state.parse_conf)
        state.parse_conf.callbacks = {rule: partial(_Derived, rule) for rule in self._rules}
        interactive.exhaust_lexer()
        return set(self._forms(interactive.feed_eof()))

    def _texts(self, symbols: Sequence[Symbol]) -> Iterator[str]:
        return map(" ".join, product(*map(self._choices, symbols)))

    def _choices(self, symbol: Symbol) -> list[str]:
        if symbol.is_term:
            return self._words[symbol.name]
        if not _is_repetition(symbol):
            return [symbol.name]
        firsts = [rule.expansion for rule in self._rules
                  if rule.origin == symbol != rule.expansion[0]]  # fmt: skip
        return [text for first in firsts for text in self._texts(first)]

    def _forms(self, derived: "_Derived") -> Iterator[str]:
        """Yield the forms of a part of an order, and of the parts of it."""
        if _has_form(derived.rule):
            yield _form(derived.rule, self._text(derived))
        for part in derived.parts:
            if isinstance(part, _Derived):
                yield from self._forms(part)

    def _text(self, derived: "_Derived") -> str:
        return " ".join(map(self._written, derived.parts))

    def _written(self, part: Any) -> str:
        if isinstance(part, Token):
            words = self._words[part.type]
            return words[0] if len(words) == 1 else part.upper()
        if not _is_repetition(part.rule.origin):
            return str(part.rule.origin.name)
        while part.rule.expansion[0] == part.rule.origin:
            part = part.parts[0]
        return self._text(part)


class _Derived(NamedTuple):
    """A rule, and the parts of a text to which it was applied: tokens or others of these."""

    rule: Rule
    parts: Sequence[Any]


def _form(rule: Rule, text: str) -> str:
    return f"{rule.alias or rule.origin.name}: {text}"


def _has_form(rule: Rule) -> bool:
    """Return whether a rule is not only a repetition or a choice of orders."""
    choice = rule.origin.name == _START and len(rule.expansion) == 1
    return not (_is_repetition(rule.origin) or (choice and not rule.expansion[0].is_term))


def _is_repetition(symbol: Symbol) -> bool:
    return str(symbol.name).startswith(_REPETITION)


def _words(terminal: TerminalDef) -> list[str]:
    """Return the forms of a terminal: its text, each of its few letters, or else its name."""
    fixed = fixed_text(terminal)
    if fixed is not None or terminal.pattern.max_width > 1:
        return [fixed or terminal.name]
    matches = re.compile(terminal.pattern.to_regexp(), FLAGS).fullmatch
    letters = [character for character in _CHARACTERS if matches(character)]
    return letters if 0 < len(letters) <= _MOST_LETTERS else [terminal.name]
