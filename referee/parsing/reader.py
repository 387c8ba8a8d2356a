"""The reader: lines a player typed into orders, or into advice on what is wrong with them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from referee.parsing.advice import Advice, Adviser
from referee.parsing.items import Misread, Understood
from referee.parsing.language import Language, Stumble
from referee.parsing.lines import MOST_CHARACTERS, Folded, Line, fold, numbered
from referee.rules.ruleset import Grammar, Mistake, Separator

MOST_DIGITS = 9
MOST_ORDERS = 3000
MOST_ADVISED = 300
"""Where more is wrong than this, it is merely said that it is no order."""
MOST_REJOINED = 6
"""So many words typed apart are tried as one order."""

Item = Understood | Misread

_WORD = re.compile(r"[^ ,]+")
_LONG_NUMBER = re.compile(rf"[0-9]{{{MOST_DIGITS + 1},}}")
_NO_ORDER = Advice(0, "this is no order.", plain=True)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words that may be one order, and where they stand."""

    text: str
    line: int
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """A grammar as a key: two are the same when they are one object, whatever is in them."""

    grammar: Grammar

    def __hash__(self) -> int:
        return id(self.grammar)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.grammar is self.grammar


class Reader:
    """Reads the order language of one grammar. Nothing that is typed makes it raise."""

    def __init__(self, grammar: Grammar, start: str = "order") -> None:
        """Raises ValueError when the grammar does not fit its order classes or examples."""
        self._grammar = grammar
        self._language = Language(grammar, start)
        self._adviser = Adviser(self._language)
        self._joined = frozenset(word.upper() for word in grammar.joined)
        self._blocks = {word.upper(): build for word, build in grammar.blocks.items()}

    def read(self, text: str) -> tuple[Item, ...]:
        """Read all lines of *text*."""
        return self.read_lines(numbered(text))

    def first_words(self) -> frozenset[str]:
        """Give the fixed words with which something in this language can begin."""
        return self._language.first_words() | frozenset(self._blocks)

    def read_lines(self, lines: Sequence[Line]) -> tuple[Item, ...]:
        """Read *lines*; each item is named by the number and column the player's mail has."""
        items: list[Item] = []
        at = misread = 0
        while at < len(lines):
            if len(items) >= MOST_ORDERS:
                items.append(_too_many(lines[at]))
                break
            length = self.block_length(lines, at)
            if length:
                items.append(self._block(lines[at : at + length]))
            else:
                misread += self._add_line(items, lines[at], brief=misread > MOST_ADVISED)
            at += length or 1
        return tuple(items)

    def block_length(self, lines: Sequence[Line], at: int) -> int:
        """Give the number of lines of the block that begins at *at*, its END included; 0 for none.

        A block without an END takes all lines that are left.
        """
        if _first_word(lines[at]) not in self._blocks:
            return 0
        for after, line in enumerate(lines[at + 1 :], 2):
            if ends_block(line):
                return after
        return len(lines) - at

    def _block(self, lines: Sequence[Line]) -> Item:
        head, key = lines[0], _first_word(lines[0])
        if len(lines) == 1 or not ends_block(lines[-1]):
            reason = f"the line END is missing after {key}; it and all below it was left out."
            return Misread(key, head.number, _column(head), reason, "Send it again with END.")
        begun = fold(head.text).text.strip()[len(key) :].strip()
        inner = ([begun] if begun else []) + [line.text for line in lines[1:-1]]
        try:
            order = self._blocks[key](tuple(inner))
        except Mistake as mistake:
            return Misread(key, head.number, _column(head), str(mistake))
        return Understood(order, key, head.number, _column(head))

    def _add_line(self, items: list[Item], line: Line, *, brief: bool) -> int:
        """Read a line of orders; give how much of it was misread."""
        read = self._line(line, brief=brief)
        items.extend(read)
        return sum(isinstance(item, Misread) for item in read)

    def _line(self, line: Line, *, brief: bool) -> list[Item]:
        if len(line.text) > MOST_CHARACTERS:
            reason = f"a line of orders has at most {MOST_CHARACTERS} characters."
            return [Misread(line.text[:40], line.number, 1, reason, "Split it into several lines.")]
        pieces = list(self._pieces(line))
        return self._merged(pieces, [self._read(piece, brief=brief) for piece in pieces])

    def _pieces(self, line: Line) -> Iterator[_Piece]:
        folded = fold(line.text)
        bare = folded.text.partition("#")[0].rstrip()
        if self._grammar.separator is Separator.LINES:
            start = len(bare) - len(bare.lstrip())
            if bare.strip():
                yield _piece(folded, line.number, start, len(bare))
            return
        words = list(_WORD.finditer(bare))
        while words:
            first = last = words.pop(0)
            while words and last[0].upper() in self._joined:
                last = words.pop(0)
            yield _piece(folded, line.number, first.start(), last.end())

    def _read(self, piece: _Piece, *, brief: bool) -> Understood | Advice:
        if long := _LONG_NUMBER.search(piece.text):
            return Advice(long.start(), f"no number here has more than {MOST_DIGITS} digits.")
        try:
            order: Any = self._language.read(piece.text)
        except Mistake as mistake:
            return Advice(0, str(mistake))
        if isinstance(order, Stumble):
            return _NO_ORDER if brief else self._adviser.advise(piece.text, order)
        return Understood(order, piece.text, piece.line, piece.columns[0])

    def _merged(self, pieces: list[_Piece], read: list[Understood | Advice]) -> list[Item]:
        """Give the items of a line; words typed apart, and prose, are answered as one."""
        items: list[Item] = []
        at = 0
        while at < len(read):
            here = read[at]
            if isinstance(here, Understood):
                items.append(here)
                at += 1
                continue
            length = self._rejoined_length(pieces, read, at)
            if length > 1:
                items.append(_apart(pieces[at : at + length]))
            elif (stray := self._stray(pieces, read, at)) is not None:
                items.append(stray)
            else:
                length = _prose_length(read, at)
                prose = Advice(0, "these words are no orders.")
                items.append(
                    _misread(_span(pieces[at : at + length]), here if length == 1 else prose)
                )
            at += length
        return items

    def _rejoined_length(
        self, pieces: list[_Piece], read: list[Understood | Advice], at: int
    ) -> int:
        """Give how many misread words from *at* on make one order when written together, or 1."""
        here = read[at]
        # Prose is no order however it is joined; trying would only take time.
        prose = isinstance(here, Advice) and here.plain and len(pieces[at].text) > 2
        if prose or self._grammar.separator is Separator.LINES:
            return 1
        bad = 1
        while bad < MOST_REJOINED and at + bad < len(read) and isinstance(read[at + bad], Advice):
            bad += 1
        for length in range(bad, 1, -1):
            if self._language.understands("".join(p.text for p in pieces[at : at + length])):
                return length
        return 1

    def _stray(
        self, pieces: list[_Piece], read: list[Understood | Advice], at: int
    ) -> Misread | None:
        """Answer a word that would complete the order before it, as in ``F3L 5``."""
        if at == 0 or not isinstance(read[at - 1], Understood):
            return None
        before, piece = pieces[at - 1].text, pieces[at]
        together = before + piece.text
        if self._grammar.separator is Separator.LINES or not self._language.understands(together):
            return None
        reason = f"this is no order of its own, and {before} stands without it."
        advice = Advice(0, reason, f"If you mean {together}, write it without a blank.")
        return _misread(piece, advice)


def reader_of(grammar: Grammar) -> Reader:
    """Give the reader of orders in *grammar*, the same one as long as it is the same object."""
    return _reader_of(_Same(grammar))


@lru_cache(maxsize=64)
def _reader_of(same: _Same) -> Reader:
    return Reader(same.grammar)


def ends_block(line: Line) -> bool:
    """Say whether *line* is the END of a block."""
    return fold(line.text).text.strip().upper() == "END"


def _first_word(line: Line) -> str:
    words = fold(line.text[:MOST_CHARACTERS]).text.split(maxsplit=1)
    return words[0].upper() if words else ""


def _column(line: Line) -> int:
    folded = fold(line.text[:MOST_CHARACTERS])
    return folded.columns[len(folded.text) - len(folded.text.lstrip())]


def _piece(folded: Folded, number: int, start: int, end: int) -> _Piece:
    return _Piece(folded.text[start:end], number, folded.columns[start : end + 1])


def _span(pieces: Sequence[_Piece]) -> _Piece:
    text = " ".join(piece.text for piece in pieces)
    columns = tuple(column for piece in pieces for column in piece.columns)
    return _Piece(text, pieces[0].line, columns)


def _misread(piece: _Piece, advice: Advice) -> Misread:
    column = piece.columns[min(advice.at, len(piece.columns) - 1)]
    return Misread(piece.text, piece.line, column, advice.reason, advice.way_out, advice.at)


def _apart(pieces: Sequence[_Piece]) -> Misread:
    together = "".join(piece.text for piece in pieces)
    reason = "an order is written without blanks."
    return _misread(_span(pieces), Advice(len(pieces[0].text), reason, f"Did you mean {together}?"))


def _prose_length(read: list[Understood | Advice], at: int) -> int:
    """Give how many words from *at* on are mere prose, at least 1."""
    length = 1
    here = read[at]
    if isinstance(here, Understood) or not here.plain:
        return length
    while at + length < len(read):
        after = read[at + length]
        if isinstance(after, Understood) or not after.plain:
            break
        length += 1
    return length


def _too_many(line: Line) -> Misread:
    reason = f"a letter has at most {MOST_ORDERS} orders; from this line on nothing was read."
    return Misread(line.text[:40], line.number, 1, reason)


def read_orders(grammar: Grammar, text: str) -> tuple[Any, ...]:
    """Give the orders of *text*. Raises Mistake, with line and column, for what is none."""
    items = reader_of(grammar).read(text)
    for item in items:
        if isinstance(item, Misread):
            place = f"line {item.line}, column {item.column}: {item.text}"
            raise Mistake(f"{place}: {item.reason} {item.advice}".rstrip())
    return tuple(item.order for item in items if isinstance(item, Understood))
