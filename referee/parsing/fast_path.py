"""The forms of a language in one regular expression, for reading at full speed.

A parser builds a tree for each order; but most orders are mere sequences of terminals. Where a
language has no others, and at every place one character tells which terminal stands there, all
forms together make an expression that fits just what the parser would read. Forms that begin
alike share their beginning in it.

This is the one module that repeats what a library does, for reading orders is what the program
exists for: by the parser alone they take ten times as long, which is a fifth of all that a letter
with orders takes. A property in tests/parsing holds both readings to be the same.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import printable

from lark import Lark
from lark.grammar import Rule, Terminal

FLAGS = re.IGNORECASE | re.ASCII

_CHARACTER = r"(?:\[(?:\w(?:-\w)?)+\]|\\[^\w\s,]|[\w=])"
_SIMPLE = re.compile(
    rf"({_CHARACTER})(?:\+|{{[1-9][0-9,]*}})?(?:{_CHARACTER}(?:[*+?]|{{[0-9,]+}})?)*", re.ASCII
)
"""A pattern for a row of characters, none of them a blank or a comma, and its first character."""


@dataclass(frozen=True, slots=True)
class Form:
    """A rule as a sequence of terminals: those that are kept, and the groups that keep them.

    *number* is the group that is the last one when a text has this form.
    """

    number: int
    rule: str
    kept: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Forms:
    """An expression for all orders of a language that have nothing ignored in them."""

    expression: str
    forms: tuple[Form, ...]

    def compiled(self) -> re.Pattern[str]:
        """Return the expression ready for use."""
        return re.compile(self.expression, FLAGS)


def forms_of(parser: Lark, start: str) -> Forms | None:
    """Return the forms of the rules that *start* may be, or None where there is more to the
    rules."""
    root = _Node()
    chosen = {rule.expansion[0].name for rule in parser.rules if _is_choice(rule, start)}
    for rule in parser.rules:
        if rule.origin.name in chosen and _is_flat(rule):
            _plant(root, rule)
        elif not _is_choice(rule, start):
            return None
    patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in parser.terminals}
    if not _is_decided(root, patterns):
        return None
    writing = _Writing(patterns)
    return Forms(writing.written(root, _Path()), tuple(writing.forms))


_Kept = tuple[str, bool]
"""A terminal's name, and whether what stands there is kept; one rule may keep what another not."""


@dataclass(slots=True)
class _Node:
    """What can follow a sequence of terminals, and the rules that the sequence itself is."""

    next: dict[_Kept, "_Node"] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Path:
    """The terminals that are kept on the way to a place in an expression, and their groups."""

    kept: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()


class _Writing:
    """The writing of an expression for all forms; *forms* are those written so far."""

    def __init__(self, patterns: Mapping[str, str]) -> None:
        self._patterns = patterns
        self._groups = 0
        self.forms: list[Form] = []

    def written(self, node: _Node, path: _Path, *, kept: bool = False) -> str:
        """Return the expression for all that can follow *path*, whose last terminal is *kept*."""
        steps = [self._step(*step, path) for step in node.next.items()]
        ends = [self._end(rule, path, kept=kept) for rule in node.rules]
        return f"(?:{'|'.join(steps + ends)})"

    def _end(self, rule: str, path: _Path, *, kept: bool) -> str:
        """Return the mark of a rule's end: the group of its last terminal, or an empty one."""
        if not kept:
            self._groups += 1
        number = path.groups[-1] if kept else self._groups
        self.forms.append(Form(number, rule, path.kept, path.groups))
        return "" if kept else "()"

    def _step(self, terminal: _Kept, node: _Node, path: _Path) -> str:
        """Return the expression for a terminal and what follows it.

        As in a lexer, a terminal takes all it can, and what it took it does not give back.
        """
        name, is_kept = terminal
        pattern = f"(?>{self._patterns[name]})"
        if not is_kept:
            return pattern + self.written(node, path)
        self._groups += 1
        path = _Path((*path.kept, name), (*path.groups, self._groups))
        return f"({pattern})" + self.written(node, path, kept=True)


def _is_choice(rule: Rule, start: str) -> bool:
    """Return whether the rule says that *start* may be another rule."""
    choice = rule.origin.name == start and len(rule.expansion) == 1
    return choice and not rule.expansion[0].is_term and not rule.expansion[0].name.startswith("_")


def _is_flat(rule: Rule) -> bool:
    """Return whether the rule is a sequence of terminals alone, and makes a tree of its own."""
    usual = rule.alias is None and not rule.options.expand1 and not any(rule.options.empty_indices)
    return usual and all(symbol.is_term for symbol in rule.expansion)


def _plant(root: _Node, rule: Rule) -> None:
    node = root
    for symbol in rule.expansion:
        assert isinstance(symbol, Terminal)
        node = node.next.setdefault((symbol.name, not symbol.filter_out), _Node())
    node.rules.append(str(rule.origin.name))


def _is_decided(node: _Node, patterns: Mapping[str, str]) -> bool:
    """Return whether everywhere from *node* on one character alone tells which terminal it is
    of."""
    begin = [_beginnings(patterns[name]) for name, _ in node.next]
    told_apart = all(begin) and sum(map(len, begin)) == len(frozenset().union(*begin))
    after = node.next.values()
    return told_apart and len(node.rules) <= 1 and all(_is_decided(n, patterns) for n in after)


def _beginnings(pattern: str) -> frozenset[str]:
    """Return the characters with which a simple pattern can begin; for any other none."""
    simple = _SIMPLE.fullmatch(pattern)
    first = re.compile(simple[1] if simple else "(?!)", FLAGS)
    return frozenset(filter(first.match, printable))
