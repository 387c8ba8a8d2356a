"""A parser for one grammar: from text to its order, or to the place where parsing fails."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache, partial
from itertools import islice
from typing import Any, Final, NamedTuple

from lark import Lark, Token, Tree
from lark.exceptions import LarkError, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr, TerminalDef
from lark.parsers.lalr_analysis import Shift

from referee.parsing.fast_path import FLAGS, Form, Forms, apart, forms_of
from referee.parsing.grammar_text import grammar_text, names_file
from referee.resources import folder
from referee.rules.ruleset import Grammar, Separator, UserError

_Build = Callable[..., Any]
_ANY_WORDS = ("XYZ", "XYZZY")
"""A terminal that matches one of them matches any word, and so names."""
END: Final = "$END"
"""Lark's name for the end of the text among the expected terminals."""
_LEAD: Final = 3
"""The terminals by which codes are known from words."""
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


class Language:
    """The parser of one grammar, made once for each source."""

    def __init__(self, grammar: Grammar, start: str = "order") -> None:
        """Make the parser. Raises ValueError if a rule of the grammar has no order class."""
        self.grammar = grammar
        self._parser = parser_of(grammar.source, start)
        # Where blanks belong to an order, they also separate words that one expression would join.
        by_words = grammar.separator is Separator.BLANKS
        forms = _forms(grammar.source, start) if by_words else None
        self._form = re.compile(forms.expression, FLAGS).fullmatch if forms else None
        self._ignored = _ignored(self._parser).search
        self._pieces = _piece(grammar, forms).finditer
        self.terminals = {terminal.name: terminal for terminal in self._parser.terminals}
        self.begun_at = _lead(self._parser, are_lines=grammar.separator is Separator.LINES)
        """The expression, without a width, for a place of a line where an order can begin."""
        self._free = {
            name for name in self.terminals if any(self.matches(name, word) for word in _ANY_WORDS)
        }
        rules = {str(rule.alias or rule.origin.name) for rule in self._parser.rules}
        named = {name for name in rules if not name.startswith("_")} - {start}
        if unknown := named - grammar.orders.keys():
            where = _place(grammar.source)
            raise ValueError(f"no order class for the rules {', '.join(sorted(unknown))}{where}")
        self._tree = lru_cache(maxsize=256)(partial(tree_of, self._parser))
        """The tree of a text, or where parsing fails: the advice on a text asks again and again."""
        self._makers = {form.number: self._maker(form) for form in (forms.forms if forms else ())}

    def pieces(self, line: str) -> Iterator[re.Match[str]]:
        """Return the candidates for orders in *line*: all of it, or its words."""
        return self._pieces(line)

    def orders(self, line: str) -> Iterator[tuple[re.Match[str], Any]]:
        """Yield the pieces of *line* with their orders, and last one that is none, with None.

        The expression decides where it can, which is much faster than to find a reason.
        """
        makers = self._makers
        for piece in self._pieces(line):
            form = piece.lastindex
            try:
                order = makers[form](piece) if form else self._whole(piece[0])
            except UserError:
                order = None
            yield piece, order
            if order is None:
                return

    def _whole(self, text: str) -> Any | None:
        """Return the order in *text*, or None. A builder can raise UserError."""
        if self._form is not None and not self.understands(text):
            return None
        found = self.read(text)
        return None if isinstance(found, ParseFailure) else found

    def order(self, piece: re.Match[str]) -> Any:
        """Return the order of a piece, a ParseFailure, or the UserError of its builder."""
        form = piece.lastindex
        try:
            return self._parsed(piece[0]) if form is None else self._makers[form](piece)
        except UserError as mistake:
            return mistake

    def read(self, text: str) -> Any:
        """Return the order in *text*, or a ParseFailure. A builder can raise UserError."""
        found = self._form(text) if self._form is not None else None
        return self._parsed(text) if found is None else self._makers[found.lastindex or 0](found)

    def understands(self, text: str) -> bool:
        """Return whether *text* has the form of an order."""
        if self._form is not None:
            fits = self._form(text) is not None
            if fits or self._ignored(text) is None:
                return fits
        return not isinstance(self._tree(text), ParseFailure)

    def rule_of(self, text: str) -> str | ParseFailure:
        """Return the name of the rule that *text* is an order of, or a ParseFailure."""
        found = self._tree(text)
        if isinstance(found, ParseFailure):
            return found
        return next((str(each.data) for each in found.children if isinstance(each, Tree)), "")

    def beginning(self, order: str, count: int) -> list[str]:
        """Return the first *count* tokens of an *order*, in capitals."""
        tokens = islice(self._parser.parse_interactive(order).iter_parse(), count)
        return [token.upper() for token in tokens]

    def literals(self) -> frozenset[str]:
        """Return the fixed words of the language."""
        fixed = (
            t.pattern.value for t in self.terminals.values() if isinstance(t.pattern, PatternStr)
        )
        return frozenset(fixed)

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The fixed words with which a text of the language can begin."""
        begin = first_terminals(self._parser)
        fixed = (fixed_text(self.terminals[name]) for name in begin if name in self.terminals)
        return frozenset(word for word in fixed if word is not None)

    def matches(self, terminal: str, text: str) -> bool:
        """Return whether *text* can be the terminal of that name."""
        pattern = self.terminals[terminal].pattern.to_regexp()
        return re.fullmatch(pattern, text, FLAGS) is not None

    def is_fixed(self, word: str) -> bool:
        """Return whether *word*, of several letters, is one of the language and not any name."""
        return len(word) > 1 and self._fixed(word) is not None

    @cached_property
    def _fixed(self) -> Callable[[str], re.Match[str] | None]:
        """The match of any terminal that is not a free name."""
        own = (each for name, each in self.terminals.items() if name not in self._free)
        patterns = (f"(?:{each.pattern.to_regexp()})" for each in own)
        return re.compile("|".join(patterns) or "(?!)", FLAGS).fullmatch

    def _maker(self, form: Form) -> Callable[[re.Match[str]], Any]:
        """Return the function that builds the order from a match of the form."""
        make = self.grammar.orders[form.rule]
        builders: list[_Build] = [self.grammar.terminals.get(name, str) for name in form.kept]
        parts = [*zip(builders, form.groups, strict=True)]
        return lambda piece: make(*[build(piece[group]) for build, group in parts])

    def _parsed(self, text: str) -> Any:
        """Return the order that the parser reads in *text*, or a ParseFailure."""
        found = self._tree(text)
        return found if isinstance(found, ParseFailure) else self._built(found.children[0])

    def _built(self, node: Any) -> Any:
        if node is None:
            # An optional part in brackets that was not typed: [ "MAX" COUNT ].
            return None
        if isinstance(node, Token):
            return self.grammar.terminals.get(node.type, str)(str(node))
        assert isinstance(node, Tree)
        return self.grammar.orders[str(node.data)](*map(self._built, node.children))


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
    conf, stack = state.parse_conf, tuple(state.state_stack)
    accepted = _accepted(conf.parse_table, conf.end_state, stack) if at else None
    expected = accepted or frozenset(error.expected)
    return ParseFailure(at, expected, state.position, error.token.type)


@lru_cache(maxsize=4096)
def _accepted(table: Any, end: int, stack: tuple[int, ...]) -> frozenset[str]:
    """Return the terminals that can follow when the parser has this *stack* of states.

    Lark's own answer copies the parser for each terminal, which takes most of the time of a
    mistake.
    """
    names = (name for name in table.states[stack[-1]] if name.isupper())
    return frozenset(name for name in names if _shifted(table.states, end, stack, name))


def _shifted(states: Any, end: int, stack: Sequence[int], name: str) -> tuple[int, ...]:
    """Return the stack when the parser, which reduces rules first, took a terminal, or ()."""
    while name in states[stack[-1]]:
        action, rule = states[stack[-1]][name]
        if action is Shift:
            return (*stack, rule)
        stack = stack[: len(stack) - len(rule.expansion)]
        stack = (*stack, states[stack[-1]][rule.origin.name][1])
        if name == END and stack[-1] == end:
            return stack
    return ()


def _lead(parser: Lark, *, are_lines: bool) -> re.Pattern[str]:
    """Return the expression for a place where an order can begin, by its first terminals.

    Every order is found, however it is typed apart, and much that is none. A line of words is known
    by its first word, a code by more.
    """
    state: Any = parser.parse_interactive("").parser_state
    table, end = state.parse_conf.parse_table, state.parse_conf.end_state
    patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in parser.terminals}

    def behind(stack: tuple[int, ...], left: int) -> str:
        names = _accepted(table, end, stack) if left else frozenset[str]()
        steps = ["(?![A-Za-z0-9])"] if END in names else []
        for name in sorted(names - {END}):
            typed = patterns[name] if are_lines else apart(patterns[name])
            rest = behind(_shifted(table.states, end, stack, name), left - 1) if typed else ""
            steps.append(f"(?:{typed}){rest}")
        return f"(?:{'|'.join(steps)})"

    begun = behind((*state.state_stack,), 1 if are_lines else _LEAD)
    return re.compile(rf"(?<![A-Za-z0-9])(?={begun})", FLAGS)


def fixed_text(terminal: TerminalDef) -> str | None:
    """Return the text of a terminal that has only one, or None."""
    return terminal.pattern.value if isinstance(terminal.pattern, PatternStr) else None


@cache
def parser_of(source: str, start: str) -> Lark:
    """Return Lark's parser of a grammar's source, which is made once.

    An error of Lark has a note that names the file.
    """
    # In ASCII mode the long s and the Kelvin sign do not match S and K when case is ignored.
    try:
        return Lark(
            grammar_text(source),
            parser="lalr",
            lexer="contextual",
            start=start,
            import_paths=[str(folder("grammars"))],
            g_regex_flags=FLAGS,
            maybe_placeholders=True,
        )
    except LarkError as error:
        words = " ".join(str(error).split())
        error.add_note(f"the grammar is wrong{_place(source)}: {words}")
        raise


def _place(source: str) -> str:
    """Return where a grammar is, if its source is the name of a file."""
    return f" in {source!r}" if names_file(source) else ""


@cache
def _forms(source: str, start: str) -> Forms | None:
    return forms_of(parser_of(source, start), start)


def _ignored(parser: Lark) -> re.Pattern[str]:
    names = set(parser.ignore_tokens)
    patterns = [t.pattern.to_regexp() for t in parser.terminals if t.name in names]
    return re.compile("|".join(patterns) or "(?!)", FLAGS)


def _piece(grammar: Grammar, forms: Forms | None) -> re.Pattern[str]:
    """Return the expression for candidates: a line, or a word with the words joined to it.

    Text that matches a form is found as that form at once.
    """
    if grammar.separator is Separator.LINES:
        return re.compile("[^ ].*")
    if grammar.separator is Separator.SPACES:
        return re.compile("[^ ,]+(?:,+[^ ,]+)*")
    joined = "|".join(map(re.escape, grammar.joined)) or "(?!)"
    form = forms.expression if forms else "(?!)"
    piece = rf"(?:(?:{joined})[ ,]+)+[^ ,]+|(?a:{form})(?![^ ,])|[^ ,]+"
    # A lookahead first skips all of it where no piece begins.
    return re.compile(rf"(?![ ,])(?:{piece})", re.IGNORECASE)
