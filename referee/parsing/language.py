"""A grammar made ready: text in, the order it stands for out, or the place where it stumbles."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr, TerminalDef

from referee.parsing.forms import Form, Forms
from referee.resources import folder
from referee.rules.ruleset import Grammar, Separator

END = "$END"
"""What Lark calls the end of the text among the things it expects."""


@dataclass(frozen=True, slots=True)
class Stumble:
    """Where text stops being an order: the place, what could stand there, what stands there.

    *state* is the parser's, *kind* the terminal or character that stands there: two texts that
    stumble with the same two make the same mistake.
    """

    at: int
    expected: frozenset[str]
    state: int
    kind: str


_Build = Callable[..., Any]
_Maker = tuple[_Build, tuple[tuple[_Build, int], ...]]
"""What builds the orders of a form, and what builds each of its parts from which group."""


class Language:
    """The parser of one grammar. It is made once for each source."""

    def __init__(self, grammar: Grammar, start: str = "order") -> None:
        """Raises ValueError when the grammar has a rule without an order class."""
        self.grammar = grammar
        self._parser = _parser(_source(grammar.source), start)
        # Where blanks belong to an order, they also part what an expression would run together.
        by_words = grammar.separator is Separator.BLANKS
        self._forms = _forms(_source(grammar.source), start) if by_words else None
        self._makers: dict[int, _Maker] = {}
        self.terminals = {terminal.name: terminal for terminal in self._parser.terminals}
        rules = {str(rule.alias or rule.origin.name) for rule in self._parser.rules}
        named = {name for name in rules if not name.startswith("_")} - {start}
        if unknown := named - grammar.orders.keys():
            raise ValueError(f"no order class for the rules {', '.join(sorted(unknown))}")

    def read(self, text: str) -> Any:
        """Give the order that *text* is, or a Stumble. A builder may raise Mistake."""
        if self._forms is not None and (found := self._forms.find(text)) is not None:
            return self._made(*found)
        try:
            tree = self._parser.parse(text)
        except UnexpectedInput as mistake:
            return _stumble(mistake, text)
        return self._built(tree.children[0])

    def understands(self, text: str) -> bool:
        """Say whether *text* has the form of an order."""
        if self._forms is not None:
            if self._forms.find(text) is not None:
                return True
            if self._forms.excludes(text):
                return False
        try:
            self._parser.parse(text)
        except UnexpectedInput:
            return False
        return True

    def literals(self) -> frozenset[str]:
        """Give the fixed words of the language."""
        fixed = (
            t.pattern.value for t in self.terminals.values() if isinstance(t.pattern, PatternStr)
        )
        return frozenset(fixed)

    def first_words(self) -> frozenset[str]:
        """Give the fixed words with which a text of the language can begin."""
        begin = self._parser.parse_interactive("").accepts()  # type: ignore[no-untyped-call]  # Lark's
        fixed = (fixed_text(self.terminals[name]) for name in begin if name in self.terminals)
        return frozenset(word for word in fixed if word is not None)

    def matches(self, terminal: str, text: str) -> bool:
        """Say whether *text* can stand for the terminal of that name."""
        pattern = self.terminals[terminal].pattern.to_regexp()
        return re.fullmatch(pattern, text, re.IGNORECASE | re.ASCII) is not None

    def _made(self, form: Form, match: re.Match[str]) -> Any:
        if form.number not in self._makers:
            builders: list[_Build] = [self.grammar.terminals.get(n, str) for n in form.kept]
            pairs = tuple(zip(builders, form.groups, strict=True))
            self._makers[form.number] = (self.grammar.orders[form.rule], pairs)
        make, pairs = self._makers[form.number]
        return make(*[build(match[group]) for build, group in pairs])

    def _built(self, node: Any) -> Any:
        if isinstance(node, Token):
            return self.grammar.terminals.get(node.type, str)(str(node))
        assert isinstance(node, Tree)
        return self.grammar.orders[str(node.data)](*map(self._built, node.children))


def fixed_text(terminal: TerminalDef) -> str | None:
    """Give the one text a terminal stands for, or None when it stands for many."""
    return terminal.pattern.value if isinstance(terminal.pattern, PatternStr) else None


def _source(source: str) -> str:
    if source.endswith(".lark") and "\n" not in source:
        return (folder("grammars") / source).read_text(encoding="utf-8")
    return source


@cache
def _parser(source: str, start: str) -> Lark:
    # ASCII keeps the long s and the Kelvin sign from passing for S and K when case is ignored.
    return Lark(
        source,
        parser="lalr",
        lexer="contextual",
        start=start,
        import_paths=[str(folder("grammars"))],
        g_regex_flags=re.IGNORECASE | re.ASCII,
        maybe_placeholders=True,
    )


@cache
def _forms(source: str, start: str) -> Forms:
    return Forms(_parser(source, start), start)


def _stumble(mistake: UnexpectedInput, text: str) -> Stumble:
    state: Any = mistake.state
    if isinstance(mistake, UnexpectedCharacters):
        at = mistake.column - 1
        allowed = frozenset(mistake.allowed or ())
        # Where nothing but the end may follow, Lark's lexer calls the end by another name.
        expected = frozenset({END}) if allowed == {"<END-OF-FILE>"} else allowed
        return Stumble(at, expected, state.position, text[at])
    assert isinstance(mistake, UnexpectedToken)
    at = len(text) if mistake.token.type == END else mistake.column - 1
    # What Lark would truly accept takes long to find out, and at the beginning it is the same.
    accepted = (at and mistake.accepts) or mistake.expected
    return Stumble(at, frozenset(accepted), state.position, mistake.token.type)
