"""The forms of a language that one regular expression can tell apart, for reading at full speed.

A parser builds a tree for each order; but most forms of an order language are mere sequences of
terminals. All of them together make one expression, in which forms that begin alike share their
beginning. The parser remains the measure: it reads what fits no form or more than one, and says
where the rest stumbles.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from lark import Lark
from lark.grammar import Rule, Terminal

_FLAGS = re.IGNORECASE | re.ASCII


@dataclass(slots=True)
class Found:
    """The one rule that a text fits, and the terminals of it that are kept, with their texts."""

    rule: str
    kept: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(slots=True)
class _Node:
    """What can follow a sequence of terminals, and the rule that the sequence itself is."""

    next: dict[Terminal, "_Node"] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)


_Branches = list[tuple[Terminal, _Node] | str]
"""What can stand at one place: a terminal and what follows it, or the end of a rule."""


@dataclass(frozen=True, slots=True)
class _Path:
    """The terminals on the way to a place in an expression, those that are kept with groups."""

    terminals: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Ending:
    """The end of a form: its rule and terminals, and the groups of those that are kept."""

    form: tuple[str, ...]
    kept: tuple[str, ...]
    groups: tuple[int, ...]


class Forms:
    """The forms of the rules that *start* may be."""

    def __init__(self, parser: Lark, start: str) -> None:
        """Take up every rule without rules in it."""
        root = _Node()
        flat = list(_flat_rules(parser, start))
        for rule in flat:
            _plant(root, rule)
        self._whole = len(flat) == sum(rule.origin.name != start for rule in parser.rules)
        patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in parser.terminals}
        ignored = "|".join(f"(?:{patterns[name]})" for name in parser.ignore_tokens)
        self._ignored = re.compile(ignored or r"(?!)", _FLAGS)
        self._first = _Expression(root, patterns, lambda branches: branches)
        self._last = _Expression(root, patterns, lambda branches: branches[::-1])

    def find(self, text: str) -> Found | None:
        """Give the form of *text* when it fits exactly one."""
        first = self._first.find(text)
        if first is None:
            return None
        match, ending = first
        last = self._last.find(text)
        # Where two forms fit, looking from the other end finds the other one.
        if last is None or last[1].form != ending.form:
            return None
        return Found(ending.form[0], ending.kept, tuple([match[each] for each in ending.groups]))

    def excludes(self, text: str) -> bool:
        """Say whether *text* is certainly no order, since it fits no form and there is no other."""
        if not self._whole or self._ignored.search(text) is not None:
            return False
        return self._first.find(text) is None


class _Expression:
    """All forms in one expression, the branches at each place in the sequence *arrange* gives."""

    def __init__(
        self,
        root: _Node,
        patterns: dict[str, str],
        arrange: Callable[[_Branches], _Branches],
    ) -> None:
        self._patterns = patterns
        self._arrange = arrange
        self._endings: dict[int, _Ending] = {}
        self._groups = 0
        self._match = re.compile(self._written(root, _Path()), _FLAGS).fullmatch

    def find(self, text: str) -> tuple[re.Match[str], _Ending] | None:
        """Give the first form that *text* fits."""
        match = self._match(text)
        if match is None or match.lastindex is None:
            return None
        return match, self._endings[match.lastindex]

    def _written(self, node: _Node, path: _Path) -> str:
        """Give the expression for all that can follow; an empty group marks the end of a rule."""
        branches: _Branches = [*node.next.items(), *node.rules]
        written = []
        for branch in self._arrange(branches):
            if isinstance(branch, str):
                self._groups += 1
                form = (branch, *path.terminals)
                self._endings[self._groups] = _Ending(form, path.kept, path.groups)
                written.append("()")
            else:
                written.append(self._step(*branch, path))
        return f"(?:{'|'.join(written)})"

    def _step(self, terminal: Terminal, node: _Node, path: _Path) -> str:
        """Give the expression for a terminal and what follows it.

        As in a lexer, a terminal takes all it can, and what it took it does not give back.
        """
        pattern = f"(?>{self._patterns[terminal.name]})"
        terminals = (*path.terminals, terminal.name)
        if terminal.filter_out:
            return pattern + self._written(node, replace(path, terminals=terminals))
        self._groups += 1
        kept, groups = (*path.kept, terminal.name), (*path.groups, self._groups)
        return f"({pattern})" + self._written(node, _Path(terminals, kept, groups))


def _flat_rules(parser: Lark, start: str) -> Iterator[Rule]:
    """Give the rules that *start* may be and that are sequences of terminals alone."""
    grouped = {t.name for t in parser.terminals if re.compile(t.pattern.to_regexp()).groups}
    chosen = [rule.expansion[0].name for rule in parser.rules if _is_choice(rule, start)]
    for rule in parser.rules:
        flat = all(symbol.is_term for symbol in rule.expansion)
        plain = not any(symbol.name in grouped for symbol in rule.expansion)
        usual = rule.alias is None and not any(rule.options.empty_indices)
        if rule.origin.name in chosen and flat and plain and usual:
            yield rule


def _is_choice(rule: Rule, start: str) -> bool:
    """Say whether the rule says that *start* may be another rule."""
    choice = rule.origin.name == start and len(rule.expansion) == 1
    return choice and not rule.expansion[0].is_term and not rule.expansion[0].name.startswith("_")


def _plant(root: _Node, rule: Rule) -> None:
    node = root
    for symbol in rule.expansion:
        assert isinstance(symbol, Terminal)
        node = node.next.setdefault(symbol, _Node())
    node.rules.append(str(rule.origin.name))
