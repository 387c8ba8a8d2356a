"""The content of a place on a map, in rows that fit; what does not fit goes into the key below.

Nothing is cut. The heading of a place with too much content has a number, and the entry of that
number in the key has all of it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from typing import Final

from referee.reports import symbols
from referee.reports.lettering import LARGE, ROW_HEIGHTS, SMALL, TINY, pieces, width
from referee.reports.shapes import FAINT, INK, Shape, Word, stroke
from referee.reports.symbols import HALF, NOBODY, Livery
from referee.reports.text import one_line
from referee.rules.views import Node, Sighting, Unit

_GAP: Final = 4
"""The room between the words and symbols of a row."""
_NAME: Final = "#495057"
"""The colour of the names of hexes."""
_STEP: Final = 3
"""The steps in which a label is moved up and down until it fits."""

Draw = Callable[[float, float], Iterable[Shape]]
"""Draws a symbol around its middle."""
Room = Callable[[float, float], float]
"""Returns how far a row can reach to each side, by its upper and lower edge."""


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a row that is not broken: a symbol, a word, or a symbol with its word."""

    text: str = ""
    size: int = SMALL
    colour: str = INK
    draw: Draw | None = None

    @property
    def width(self) -> float:
        """The width of the part."""
        symbol = 2 * HALF + 2 if self.draw is not None else 0
        return symbol + (width(self.text, self.size) if self.text else 0)


Tokens = tuple[Token, ...]

_MORE: Final = "…"
"""Ends a list of units that goes on in the key."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Tokens that begin in a row of their own, and break into several rows if they must.

    A part of a list can stand for it if the key has the rest.
    """

    tokens: Tokens
    is_list: bool = False


@dataclass(slots=True)
class Key:
    """The numbered entries below a map, for what has no room in it."""

    entries: list[str] = field(default_factory=list)

    def add(self, text: str) -> str:
        """Add an entry and return its number."""
        self.entries.append(text)
        return str(len(self.entries))


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a label, with its edges relative to the middle of the place."""

    top: float
    height: float
    tokens: Tokens

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    @property
    def width(self) -> float:
        """The width of the row."""
        return _width(self.tokens)

    def shapes(self, x: float, y: float) -> Iterator[Shape]:
        """Yield the row, centred around *x*."""
        left, middle = x - self.width / 2, y + self.top + self.height / 2
        for token in _merged(self.tokens):
            right = left + token.width
            if token.draw is not None:
                yield from token.draw(left + HALF, middle)
                left += 2 * HALF + 2
            if token.text:
                wide = width(token.text, token.size)
                yield Word(left, middle, token.text, token.size, token.colour, wide)
            left = right + _GAP


def _merged(tokens: Tokens) -> Iterator[Token]:
    """Yield the tokens of a row, with plain words that follow each other as one."""
    for draw, group in groupby(tokens, key=lambda token: (token.draw, token.size, token.colour)):
        same = list(group)
        if draw[0] is None:
            text = " ".join(token.text for token in same)
            yield Token(text, same[0].size, same[0].colour)
        else:
            yield from same


def _width(tokens: Tokens) -> float:
    merged = list(_merged(tokens))
    return sum(token.width for token in merged) + _GAP * (len(merged) - 1)


@dataclass(frozen=True, slots=True)
class Lettering:
    """The liveries and the key that all labels of a map share."""

    liveries: Mapping[str, Livery]
    key: Key

    def label(
        self, nodes: Sequence[Node], extra: Mapping[str, Sequence[Paragraph]], frame: "Frame"
    ) -> tuple[Row, ...]:
        """Return the rows of the nodes at one spot; *extra* has more paragraphs by their keys."""
        for size in (LARGE, SMALL):
            rows = frame.fitted(self._paragraphs(nodes, extra, frame, size, ""))
            if rows is not None:
                return rows
        entry = "; ".join(self._entry(node, extra.get(node.key, ())) for node in nodes)
        number = self.key.add(entry)
        every = [
            frame.most(list(self._paragraphs(nodes, extra, frame, size, number)))
            for size in (LARGE, SMALL)
        ]
        return max(every, key=lambda rows: sum(len(row.tokens) for row in rows))

    def _paragraphs(
        self,
        nodes: Sequence[Node],
        extra: Mapping[str, Sequence[Paragraph]],
        frame: "Frame",
        size: int,
        number: str,
    ) -> Iterator[Paragraph]:
        if frame.name and all(node.key != frame.name for node in nodes):
            yield named(frame.name, frame.widest)
        for node in nodes:
            yield self._heading(node, frame.widest, size, number)
            number = ""
            for line in node.lines:
                yield Paragraph(tuple(_words(line, frame.widest, _ink(node))))
            yield from extra.get(node.key, ())
            yield from self._units(node, frame.widest)

    def _heading(self, node: Node, most: float, size: int, number: str) -> Paragraph:
        livery, ink = self.liveries.get(node.owner, NOBODY), _ink(node)
        first, *others = pieces(one_line(node.key) or "?", size, most - 2 * HALF - 2)
        draw = (lambda x, y: symbols.flag(livery, x, y)) if node.owner else None
        tokens = [Token(first, size, ink, draw), *(Token(each, size, ink) for each in others)]
        tokens += [Token(draw=partial(symbols.mark, mark)) for mark in node.marks]
        if number:
            badge = Token(draw=lambda x, y: symbols.number(number, x, y))
            tokens.insert(1 + len(others), badge)
        return Paragraph(tuple(tokens))

    def _units(self, node: Node, most: float) -> Iterator[Paragraph]:
        """Yield the units of each owner; a symbol begins those of a kind."""
        for units in _owned(node):
            tokens: list[Token] = []
            kind = None
            for unit in units:
                first, *rest = pieces(_name(unit), SMALL, most - 2 * HALF - 2)
                # What has a force is two words, so each of these begins with a symbol.
                has_symbol = unit.kind != kind or bool(unit.force)
                tokens.append(Token(first, draw=self._symbol(unit) if has_symbol else None))
                tokens += [Token(piece) for piece in rest]
                kind = unit.kind
            yield Paragraph(tuple(tokens), is_list=True)

    def _symbol(self, unit: Unit) -> Draw:
        livery = self.liveries.get(unit.owner, NOBODY)
        return lambda x, y: symbols.unit(unit.kind, livery, x, y)

    def token(self, unit: Unit) -> Token:
        """Return a unit with its symbol as one token."""
        return Token(one_line(unit.key) or "?", draw=self._symbol(unit))

    def _entry(self, node: Node, extra: Sequence[Paragraph]) -> str:
        """Return all content of a place as text."""
        lines = [*node.lines, *(" ".join(token.text for token in each.tokens) for each in extra)]
        for units in _owned(node):
            keys = " ".join(map(_name, units))
            lines.append(f"{units[0].owner}: {keys}" if units[0].owner else keys)
        marks = [mark.value for mark in node.marks]
        return one_line(f"{node.key}: {', '.join((*marks, *lines))}")


def _name(unit: Unit) -> str:
    return one_line(f"{unit.key} {unit.force}") or "?"


def named(name: str, most: float) -> Paragraph:
    """Return the name of a hex."""
    return Paragraph(tuple(Token(piece, TINY, _NAME) for piece in pieces(name, TINY, most)))


def _owned(node: Node) -> Iterator[list[Unit]]:
    """Yield the units in the middle of a place, by owner, those of a kind together."""
    found: dict[str, list[Unit]] = {}
    for unit in node.units:
        if unit.spot is None:
            found.setdefault(unit.owner, []).append(unit)
    for units in found.values():
        kinds = [unit.kind for unit in units]
        yield sorted(units, key=lambda unit: kinds.index(unit.kind))


def _ink(node: Node) -> str:
    return FAINT if node.sighting is Sighting.UNEXPLORED else INK


def _words(line: str, most: float, colour: str) -> Iterator[Token]:
    for word in one_line(line).split():
        for piece in pieces(word, SMALL, most):
            yield Token(piece, SMALL, colour)


def jump(to: str) -> Paragraph:
    """Return the paragraph of a way that leads only from a place to another."""
    return Paragraph((Token(to, draw=arrow),))


def arrow(x: float, y: float) -> Iterator[Shape]:
    """Yield the symbol of a jump."""
    yield stroke((x - HALF, y), (x + HALF, y), INK, 2)
    for down in (-4, 4):
        yield stroke((x + HALF - 4, y + down), (x + HALF, y), INK, 2)


@dataclass(frozen=True, slots=True)
class Frame:
    """The room for a label: its upper and lower edge relative to its middle, and its width."""

    top: float
    bottom: float
    widest: float
    room: Room
    name: str = ""
    """The name of the hex, which is above everything else."""

    def fitted(self, paragraphs: Iterable[Paragraph]) -> tuple[Row, ...] | None:
        """Return the rows, as near to the middle as they fit, or None if they do not."""
        given = [each for each in paragraphs if each.tokens]
        flows = (self._flow(given, top) for top in self._tops())
        complete = [flow.rows for flow in flows if flow.complete]
        return min(complete, key=_off_middle, default=None)

    def most(self, paragraphs: Iterable[Paragraph]) -> tuple[Row, ...]:
        """Return the rows with as much as fits, the heading above all."""
        given = [each for each in paragraphs if each.tokens]
        every = [self._flow(given, top).rows for top in self._tops()]
        return max(every, key=lambda rows: sum(len(row.tokens) for row in rows))

    def _tops(self) -> Iterator[float]:
        top = self.top
        while top < 0:
            yield top
            top += _STEP

    def _flow(self, paragraphs: Sequence[Paragraph], top: float) -> "_Flow":
        """Return the rows from an edge down: whole paragraphs, and the beginnings of lists."""
        rows: list[Row] = []
        complete = True
        for paragraph in paragraphs:
            found, is_whole = self._broken(paragraph.tokens, top)
            complete = complete and is_whole
            if not is_whole and found and paragraph.is_list:
                last = found[-1]
                found[-1] = replace(last, tokens=(*last.tokens[:-1], self._more(last.tokens[-1])))
            if is_whole or paragraph.is_list:
                rows += found
                top = found[-1].bottom if found else top
        return _Flow(tuple(rows), complete)

    def _more(self, last: Token) -> Token:
        """Return the last token of a list that goes on in the key."""
        return replace(last, text=_MORE)

    def _broken(self, tokens: Tokens, top: float) -> tuple[list[Row], bool]:
        """Return tokens in rows from an edge down, and whether all of them fit."""
        rows: list[Row] = []
        while tokens:
            row = self._row(tokens, top)
            if row is None:
                return rows, False
            rows.append(row)
            tokens, top = tokens[len(row.tokens) :], row.bottom
        return rows, True

    def _row(self, tokens: Tokens, top: float) -> Row | None:
        """Return a row with as many tokens as fit, as high up as one fits, or None."""
        height = max(
            ROW_HEIGHTS[token.size] if token.draw is None else 2 * HALF + 2 for token in tokens[:1]
        )
        while top + height <= self.bottom:
            most = 2 * self.room(top, top + height)
            count = 0
            while count < len(tokens) and _width(tokens[: count + 1]) <= most:
                count += 1
            if count:
                taken = tokens[:count]
                if any(token.draw is not None for token in taken) and height < 2 * HALF + 2:
                    height = 2 * HALF + 2
                    continue
                return Row(top, height, taken)
            top += _STEP
        return None


@dataclass(frozen=True, slots=True)
class _Flow:
    """Rows, and whether they have everything."""

    rows: tuple[Row, ...]
    complete: bool


def _off_middle(rows: Sequence[Row]) -> float:
    return abs(rows[0].top + rows[-1].bottom) if rows else 0.0
