"""A single regular expression for the forms of a language, to read orders at full speed.

A parser builds a tree for each order, but most orders are simple sequences of terminals. If a
language has only such orders, and one character always decides which terminal comes next, one
expression for all forms matches exactly what the parser would read. Forms with the same beginning
share it in the expression.

Only this module repeats the work of a library, because reading orders is the program's main task.
The parser takes ten times as long, which is a fifth of the time for a letter with orders. A
property in tests/parsing checks that both ways of reading give the same result.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import printable

from lark import Lark
from lark.grammar import Rule, Terminal

FLAGS = re.IGNORECASE | re.ASCII

_CHARACTER = r"(?:\[(?:\w-\w|[\w=+-])+\]|\\[^\w\s,]|[\w=])"
_GAP = "(?:[ ,]*|[^A-Za-z0-9])"
_MANY = r"(?:[*+?]|{[0-9,]+})?"
_SIMPLE = re.compile(rf"({_CHARACTER})(?:\+|{{[1-9][0-9,]*}})?(?:{_CHARACTER}{_MANY})*", re.ASCII)
"""A pattern for characters without blanks and commas; its group is the first character."""


@dataclass(frozen=True, slots=True)
class Form:
    """A rule as a sequence of terminals: those that are kept, and their groups.

    *number* is the last group of a text of this form.
    """

    number: int
    rule: str
    kept: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Forms:
    """An expression for all orders of a language without ignored text in them."""

    expression: str
    forms: tuple[Form, ...]


def forms_of(parser: Lark, start: str) -> Forms | None:
    """Return the forms of the rules that *start* can be, or None if the rules are more complex."""
    root = _Node()
    chosen = {rule.expansion[0].name for rule in parser.rules if _is_choice(rule, start)}
    for rule in parser.rules:
        if rule.origin.name in chosen and _is_flat(rule):
            _add_rule(root, rule)
        elif not _is_choice(rule, start):
            return None
    patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in parser.terminals}
    if not _is_decided(root, patterns):
        return None
    builder = _ExpressionBuilder(patterns)
    return Forms(builder.expression_for(root, _Path()), tuple(builder.forms))


_Kept = tuple[str, bool]
"""A terminal's name, and whether its text is kept, which depends on the rule."""


@dataclass(slots=True)
class _Node:
    """The terminals that can follow a sequence, and the rules that end with it."""

    next: dict[_Kept, "_Node"] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Path:
    """The kept terminals before a position in an expression, and their groups."""

    kept: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()


class _ExpressionBuilder:
    """A builder of the expression for all forms; *forms* are those built so far."""

    def __init__(self, patterns: Mapping[str, str]) -> None:
        self._patterns = patterns
        self._groups = 0
        self.forms: list[Form] = []

    def expression_for(self, node: _Node, path: _Path, *, kept: bool = False) -> str:
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

        As in a lexer, a terminal matches as much as it can, without backtracking.
        """
        name, is_kept = terminal
        pattern = f"(?>{self._patterns[name]})"
        if not is_kept:
            return pattern + self.expression_for(node, path)
        self._groups += 1
        path = _Path((*path.kept, name), (*path.groups, self._groups))
        return f"({pattern})" + self.expression_for(node, path, kept=True)


def _is_choice(rule: Rule, start: str) -> bool:
    """Return whether the rule says that *start* can be another rule."""
    choice = rule.origin.name == start and len(rule.expansion) == 1
    return choice and not rule.expansion[0].is_term and not rule.expansion[0].name.startswith("_")


def _is_flat(rule: Rule) -> bool:
    """Return whether the rule is a sequence of only terminals and makes its own tree."""
    usual = rule.alias is None and not rule.options.expand1 and not any(rule.options.empty_indices)
    return usual and all(symbol.is_term for symbol in rule.expansion)


def _add_rule(root: _Node, rule: Rule) -> None:
    node = root
    for symbol in rule.expansion:
        assert isinstance(symbol, Terminal)
        node = node.next.setdefault((symbol.name, not symbol.filter_out), _Node())
    node.rules.append(str(rule.origin.name))


def _is_decided(node: _Node, patterns: Mapping[str, str]) -> bool:
    """Return whether one character decides the next terminal everywhere from *node* on."""
    begin = [_beginnings(patterns[name]) for name, _ in node.next]
    is_distinct = all(begin) and sum(map(len, begin)) == len(frozenset().union(*begin))
    after = node.next.values()
    return is_distinct and len(node.rules) <= 1 and all(_is_decided(n, patterns) for n in after)


def apart(pattern: str) -> str:
    """Return a simple *pattern* with blanks or a mark behind each character, else ""."""
    if _SIMPLE.fullmatch(pattern) is None:
        return ""
    return re.sub(rf"({_CHARACTER})({_MANY})", rf"(?:\1{_GAP})\2", pattern, flags=re.ASCII)


def _beginnings(pattern: str) -> frozenset[str]:
    """Return the first characters of a simple pattern, or an empty set for another pattern."""
    simple = _SIMPLE.fullmatch(pattern)
    first = re.compile(simple[1] if simple else "(?!)", FLAGS)
    return frozenset(filter(first.match, printable))
