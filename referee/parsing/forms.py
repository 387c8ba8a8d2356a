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


@dataclass(frozen=True, slots=True)
class Form:
    """A rule as a sequence of terminals, and the groups of an expression that keep some of them.

    *number* is its own in the expression.
    """

    number: int
    rule: str
    terminals: tuple[str, ...]
    kept: tuple[str, ...]
    groups: tuple[int, ...]


_Kept = tuple[str, bool]
"""A terminal's name, and whether what stands there is kept; one rule may keep what another not."""


@dataclass(slots=True)
class _Node:
    """What can follow a sequence of terminals, and the rule that the sequence itself is."""

    next: dict[_Kept, "_Node"] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)


_Branches = list[tuple[_Kept, _Node] | str]
"""What can stand at one place: a terminal and what follows it, or the end of a rule."""


@dataclass(frozen=True, slots=True)
class _Path:
    """The terminals on the way to a place in an expression, those that are kept with groups."""

    terminals: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()


class Forms:
    """The forms of the rules that *start* may be."""

    def __init__(self, parser: Lark, start: str) -> None:
        """Take up every rule without rules in it."""
        root = _Node()
        flat = list(_flat_rules(parser, start))
        for rule in flat:
            _plant(root, rule)
        self._whole = all(rule in flat or _is_choice(rule, start) for rule in parser.rules)
        patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in parser.terminals}
        ignored = "|".join(f"(?:{patterns[name]})" for name in parser.ignore_tokens)
        self._ignored = re.compile(ignored or r"(?!)", _FLAGS)
        self._first = _Expression(root, patterns, lambda branches: branches)
        self._last = _Expression(root, patterns, lambda branches: branches[::-1])
        numbers = {(f.rule, f.terminals, f.kept): f.number for f in self._last.forms.values()}
        self._pairs = {
            number: (form, numbers[form.rule, form.terminals, form.kept])
            for number, form in self._first.forms.items()
        }

    def find(self, text: str) -> tuple[Form, re.Match[str]] | None:
        """Give the form of *text* when it fits exactly one, and what its groups keep."""
        first = self._first.match(text)
        # Where two forms fit, looking from the other end finds the other one.
        if first is None or (last := self._last.match(text)) is None:
            return None
        form, same = self._pairs[first.lastindex or 0]
        return (form, first) if last.lastindex == same else None

    def excludes(self, text: str) -> bool:
        """Say whether *text* is certainly no order, since it fits no form and there is no other."""
        if not self._whole or self._ignored.search(text) is not None:
            return False
        return self._first.match(text) is None


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
        self._groups = 0
        self.forms: dict[int, Form] = {}
        self.match = re.compile(self._written(root, _Path()), _FLAGS).fullmatch

    def _written(self, node: _Node, path: _Path) -> str:
        """Give the expression for all that can follow; an empty group marks the end of a rule."""
        branches: _Branches = [*node.next.items(), *node.rules]
        written = []
        for branch in self._arrange(branches):
            if isinstance(branch, str):
                self._groups += 1
                number, way = self._groups, (path.terminals, path.kept, path.groups)
                self.forms[number] = Form(number, branch, *way)
                written.append("()")
            else:
                written.append(self._step(*branch, path))
        return f"(?:{'|'.join(written)})"

    def _step(self, terminal: _Kept, node: _Node, path: _Path) -> str:
        """Give the expression for a terminal and what follows it.

        As in a lexer, a terminal takes all it can, and what it took it does not give back.
        """
        name, is_kept = terminal
        pattern = f"(?>{self._patterns[name]})"
        terminals = (*path.terminals, name)
        if not is_kept:
            return pattern + self._written(node, replace(path, terminals=terminals))
        self._groups += 1
        kept, groups = (*path.kept, name), (*path.groups, self._groups)
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
        node = node.next.setdefault((symbol.name, not symbol.filter_out), _Node())
    node.rules.append(str(rule.origin.name))
