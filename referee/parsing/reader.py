"""The reader: lines a player typed into orders, or into advice on what is wrong with them."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations, islice, pairwise, starmap, takewhile
from typing import Any, NamedTuple

from referee.domain.effort import FREE, UNADVISED, Effort
from referee.domain.mail_transfer import Line
from referee.parsing.advice import NO_ORDER, Advice, Adviser, Unread
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.language import Language, ParseFailure
from referee.parsing.lines import (
    CODE,
    MOST_CHARACTERS,
    NEXT,
    Folded,
    arranged,
    fold,
    is_empty,
    is_final,
    is_struck,
    numbered,
    plain,
    unstruck,
)
from referee.rules.ruleset import Grammar, Separator, UserError
from referee.rules.wording import counted, listed

MOST_DIGITS = 9
MOST_ORDERS = 3000

Item = Parsed | Unparsed

_TOO_LONG = f"A line of orders has at most {MOST_CHARACTERS} characters."
_TOO_MANY = f"An email has at most {MOST_ORDERS} orders; nothing was read from this line on."
_LONG_NUMBER = re.compile(rf"[0-9]{{{MOST_DIGITS + 1},}}")
_WRONG = (ParseFailure, UserError, re.Match)
_MARKED = re.compile("[0-9=]")
"""The marks of codes, without which words are never joined."""
_NUMBERS = re.compile("[0-9] +[0-9]")
_JOINABLE = re.compile("(?!\\d \\d|[A-Za-z] [A-Za-z]{2}). ..?")
"""The end of a part of an order and the beginning of the next one, but for numbers and words."""
MOST_APART = 24
"""The most parts of a line that are read as orders typed with blanks in them."""
_WORD = re.compile(r"[A-Za-z0-9][\w=+*-]*[)\]}]*")
"""A word of a comment, which can be an order or a part of one."""
_WITHIN = (" ", ":", ">", ",")
"""The marks between the parts of an order of codes, which can be typed apart."""
_MOST_PARTS = 8
_STOPS = " .,;:!?"
_DRAWN = " -=_*~#+|.:`<>/\\│─"


class _Typed(NamedTuple):
    """A line as it is read: its *text* up to a comment, and all of it *folded*.

    *begins* says whether an order can begin anywhere in it.
    """

    line: Line
    text: str
    folded: Folded
    begins: bool


class _Found(NamedTuple):
    """An order among others: its place, from 0, its words and itself."""

    at: int
    words: str
    order: Any


class Reader:
    """Reads the order language of one grammar. Nothing that is typed makes it raise."""

    def __init__(
        self, grammar: Grammar, start: str = "order", elsewhere: frozenset[str] = frozenset()
    ) -> None:
        """Build the reader. Raises ValueError if grammar, classes and examples do not fit.

        *elsewhere* are the first words of orders of other phases, in capitals.
        """
        self.grammar = grammar
        self._language = Language(grammar, start)
        self._elsewhere = elsewhere
        self._blocks = {word.upper(): build for word, build in grammar.blocks.items()}
        self._leaving = {grammar.orders[rule] for rule in grammar.leaving}
        self._has_layouts = start == "order"
        self._is_named = self._has_layouts and grammar.separator is Separator.LINES
        blocks = frozenset(self._blocks)
        self.advice = Adviser(
            self._language, blocks, elsewhere, is_named=self._is_named, of_orders=self._has_layouts
        )
        self._found_in = lru_cache(maxsize=512)(self._find)
        """Returns the orders that a text consists of. The layouts ask again and again."""

    def read(self, text: str) -> tuple[Item, ...]:
        """Read all lines of *text*."""
        return self.read_lines(numbered(text))

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The fixed words with which something in this language can begin."""
        return self._language.first_words | frozenset(self._blocks)

    def fixed_words(self) -> frozenset[str]:
        """Return all fixed words of this language."""
        return self._language.literals() | self.first_words

    def knows(self, word: str) -> bool:
        """Return whether *word*, in capitals, begins an order here, or has advice of its own."""
        return word in self.first_words | self._elsewhere or word in self.grammar.hints

    def read_lines(self, lines: Sequence[Line], effort: Effort = FREE) -> tuple[Item, ...]:
        """Read *lines*; each item has its line number and column in the player's email.

        Raises LetterTooCostly if *effort* is used up.
        """
        items: list[Item] = []
        at = 0
        while at < len(lines):
            effort.check()
            if len(items) >= MOST_ORDERS:
                items.append(_refused(lines[at], _TOO_MANY))
                break
            length = self.block_length(lines, at)
            if length:
                items.append(self._block(lines[at : at + length]))
            else:
                line = Line(lines[at].number, unstruck(lines[at].text))
                seen = self._typed(line)
                items.extend(self._divided(line) or self._line(seen) or self._unread(seen, effort))
            at += length or 1
        return tuple(items)

    def block_length(
        self, lines: Sequence[Line], at: int, ends: Callable[[Line], bool] = is_empty
    ) -> int:
        """Return the number of lines of the block at *at* with its END, or 0.

        A key in capitals, or with nothing else on its line, is meant. Without an END, its block is
        what is above the first line that is empty, reads as orders or *ends* it. So it is with an
        END below such a line, unless the block can be all that is above END. A key that begins a
        sentence takes no order.
        """
        key = _first_word(lines[at]) if self._blocks else ""
        if key not in self._blocks:
            return 0
        typed = plain(lines[at].text[:MOST_CHARACTERS]).strip()
        is_meant = typed.startswith(key) or typed.upper() == key

        def goes_on(line: Line) -> bool:
            return not (self._has_orders(line) or ends(line))

        inner = [*takewhile(lambda line: not ends_block(line), lines[at + 1 :])]
        length = 1 + len(inner)
        if at + length < len(lines):
            whole = is_meant and isinstance(self._block(lines[at : at + length + 1]), Parsed)
            if whole or all(is_empty(line) or goes_on(line) for line in inner):
                return length + 1
        kept = takewhile(lambda line: not is_empty(line) and goes_on(line), inner)
        return 1 + sum(1 for _ in kept) if is_meant else 0

    def _typed(self, line: Line) -> _Typed:
        folded = fold(line.text)
        text = folded.text.partition("#")[0].rstrip()
        is_short = len(line.text) <= MOST_CHARACTERS
        begins = is_short and self._language.begun_at.search(text) is not None
        return _Typed(line, text, folded, begins)

    def _has_orders(self, line: Line) -> bool:
        """Return whether *line* has orders in any layout, or only orders and codes like them."""
        typed = self._typed(line)
        if not typed.text.strip() or len(line.text) > MOST_CHARACTERS:
            return False
        is_read = typed.begins and (self.reads(typed.text) or self._arranged(typed))
        return bool(is_read) or self._are_codes(typed.text)

    def _block(self, lines: Sequence[Line]) -> Item:
        head, key, is_ended = lines[0], _first_word(lines[0]), ends_block(lines[-1])
        begun = plain(head.text).strip()[len(key) :].strip()
        below = [line.text for line in (lines[1:-1] if is_ended else lines[1:])]
        with_text = f" and the {counted(len(below), 'line')} below it were" if below else " was"
        reason = f"Expected END below {key}, so {key}{with_text} left out."
        wrong = Unparsed(key, head.number, _column(head), reason, "Send it again with END.")
        if not is_ended and begun:
            return wrong
        try:
            order = self._blocks[key](tuple([begun, *below] if begun else below))
        except UserError as mistake:
            return wrong._replace(reason=str(mistake), advice="") if is_ended else wrong
        return Parsed(order, key, head.number, _column(head))

    def _divided(self, line: Line) -> Sequence[Item]:
        """Return the orders of a line with ``and BUILD`` in it, or none if a part of it is none.

        The names of its first order would go on up to its end.
        """
        if not self._is_named:
            return ()
        text = line.text[:MOST_CHARACTERS].partition("#")[0]
        marks = [*self._next.finditer(text)]
        ends = [*(mark.start() for mark in marks), len(text)]
        starts = [0, *(mark.end() for mark in marks)]
        typed = (" " * at + text[at:end] for at, end in zip(starts, ends, strict=True))
        parts = [Line(line.number, text) for text in typed if marks and not _is_rule(text)]
        read = [*takewhile(_are_orders, map(self._line, map(self._typed, parts)))]
        return [*chain.from_iterable(read)] if len(read) == len(parts) else ()

    @cached_property
    def _next(self) -> re.Pattern[str]:
        """The expression for what is between two orders of words, up to the verb of the second."""
        verbs = "|".join(map(re.escape, sorted(self._language.first_words)))
        between = rf"[,;]|(?<!\S)(?:{NEXT}|[/&+-]|[(\[]?\d{{1,3}}[.:)\]])"
        return re.compile(rf"(?:(?:{between})\s+)+(?=(?:{verbs})\b)", re.IGNORECASE)

    def _line(self, typed: _Typed) -> Sequence[Item]:
        """Return the orders of a line that reads whole, or what is wrong with them, or nothing."""
        if not typed.begins:
            return ()
        text = typed.text
        has_cells = self._is_named and "\t" in typed.line.text
        items: Sequence[Item] = () if has_cells else self._whole(text, typed)
        if not items and self._has_layouts and not is_struck(text) and not self._refuses(text):
            items = self._arranged(typed)
            items = items or (self._whole(text, typed) if has_cells else ())
        return self._alone(items, typed)

    def _refuses(self, text: str) -> bool:
        """Return whether *text* is an order of words that cannot be, whatever marks it has."""
        pieces = self._language.pieces(text) if self._is_named else ()
        return any(isinstance(self._order(piece), UserError) for piece in pieces)

    def is_whole(self, line: Line) -> bool:
        """Return whether *line* has orders and nothing else, without any layout around them."""
        typed = self._typed(line)
        return typed.begins and self.reads(typed.text)

    def _typed_apart(self, text: str) -> tuple[_Found, ...]:
        """Return the orders of a line of codes with blanks in them, if it reads in one way only."""
        pieces = [*islice(self._language.pieces(text), MOST_APART + 1)]
        if self._is_named or not self._has_layouts or not 1 < len(pieces) <= MOST_APART:
            return ()
        if not _MARKED.search(text):
            return ()
        ways = _segmentations(pieces, self._language.understands)
        joined = ways[0] if len(ways) == 1 else ()
        placed = [(pieces[at].start(), self._found_in(order)) for at, order in joined]
        is_whole = all(found for _, found in placed)
        moved = (each._replace(at=at + each.at) for at, found in placed for each in found)
        return tuple(moved) if is_whole else ()

    def reads(self, text: str) -> bool:
        """Return whether *text* has orders and nothing else."""
        return bool(self._found_in(text.rstrip()))

    def orders_of(self, text: str) -> list[Any]:
        """Return the orders that *text* is, or none if anything in it is not an order."""
        typed = self._typed(Line(1, text[:MOST_CHARACTERS]))
        return [item.order for item in self._whole(typed.folded.text.rstrip(), typed)]

    def leaves(self, text: str) -> bool:
        """Return whether *text* is an order that ends the game of its own player."""
        if not self._leaving:
            return False
        return any(isinstance(item, Parsed) and item.leaves for item in self.read(text))

    def begins(self, text: str) -> bool:
        """Return whether *text* begins with the first word of an order, in capitals."""
        word = "".join(text.split(maxsplit=1)[:1]).strip(_STOPS)
        return len(word) > 1 and word in self._language.first_words

    def _order(self, piece: re.Match[str]) -> Any:
        """Return the order of a piece, or what is wrong with it."""
        long = _LONG_NUMBER.search(piece[0]) if len(piece[0]) > MOST_DIGITS else None
        return long or self._language.order(piece)

    def _whole(self, text: str, typed: _Typed) -> list[Parsed]:
        """Return the orders of *text*, a part of a line, or none if anything else is in it."""
        columns, leaving, number = typed.folded.columns, self._leaving, typed.line.number
        return [
            Parsed(order, words, number, columns[at], type(order) in leaving)
            for at, words, order in self._found_in(text)
        ]

    def _find(self, text: str) -> tuple[_Found, ...]:
        """Return the orders of *text*, maybe typed apart, or none if anything else is in it."""
        if not self._language.begun_at.search(text):
            return ()
        found = []
        for piece, order in () if _LONG_NUMBER.search(text) else self._language.orders(text):
            if order is None:
                return self._typed_apart(text)
            found.append(_Found(piece.start(), piece[0], order))
        return tuple(found) or self._typed_apart(text)

    def _arranged(self, typed: _Typed) -> Sequence[Item]:
        """Return the orders of a line in the layout of a list, a table or the like, or none.

        If the rest of the line has another order for a unit of theirs, none of them counts. A rest
        with orders for other units is words.
        """
        line, columns = typed.line, typed.folded.columns
        shown = typed.folded.text
        if "\t" in line.text:
            shown = "".join(
                "\t" if line.text[column - 1] == "\t" else character
                for character, column in zip(shown, columns, strict=False)
            )
        text = shown.partition("#")[0].ljust(len(shown))
        parts = arranged(text, self)
        found = [self._whole(part.rstrip(), typed) for part in parts]
        items: list[Parsed] = [*chain.from_iterable(found)]
        if not items:
            return ()
        left = _left_over(text, parts).lstrip()
        others = [*self.orders_among(left)]
        for other in others:
            for item in items:
                if item.text.upper() != other.upper() and self._are_rivals(item.text, other):
                    reason = f"{item.text} or {other}? The line has both, so neither is filed."
                    besides = [each.text for each in items if each is not item]
                    and_others = f", and {listed(besides)}, not filed either" * bool(besides)
                    advice = f"Send ADD and below it the one that you mean{and_others}."
                    wrong = Unparsed(text.strip(), line.number, item.column, reason, advice)
                    return [wrong._replace(others=len(besides))]
        filed = {item.text.upper() for item in items}
        to_send = self._to_send(other for other in others if other.upper() not in filed)
        if not to_send:
            return items
        column, comment = columns[len(text) - len(left)], " ".join(left.split())
        words = Unparsed(comment, line.number, column, NO_ORDER.reason, is_words=True)
        return [*items, words._replace(to_send=to_send)]

    def _to_send(self, found: Iterable[str]) -> tuple[str, ...]:
        """Return the lines to send for the orders *found* among words, each alone if two rival."""
        # A small word without a figure is an order only by chance.
        among = [each for each in found if each.isupper() or not each.isalpha()]
        are_apart = self._is_named or any(starmap(self._are_rivals, combinations(among, 2)))
        lines = among if are_apart else filter(None, [" ".join(among)])
        return tuple(f"ADD {each}" for each in lines)

    def orders_among(self, text: str) -> Iterator[str]:
        """Yield the orders among the words of *text*, if it is long only the first ones.

        An order of words can go on up to the end of the line, one of codes typed apart over blanks.
        """
        places = {place.start() for place in self._language.begun_at.finditer(text)}
        verbs = self._language.first_words if self._is_named else ()
        words, done = [*_WORD.finditer(text)] if places else [], 0
        begun = [n for n, word in enumerate(words) if not verbs or word[0].upper() in verbs]
        for at in begun[:MOST_APART]:
            start = words[at].start()
            if start < done or start not in places:
                continue
            parts = words[at:] if verbs else _parts(text, words[at : at + _MOST_PARTS])
            for part in reversed(parts):
                typed = text[start : part.end()]
                joined = typed if verbs else _together(typed)
                ways = dict.fromkeys((joined, joined.rstrip(")]}"))) if joined else ()
                if order := next(filter(self._language.understands, ways), ""):
                    yield order
                    done = part.end()
                    break

    def _are_rivals(self, text: str, other: str) -> bool:
        """Return whether two orders are for the same unit: the code or the verb and name first."""
        count = 2 if self._is_named else 1
        return self._language.beginning(text, count) == self._language.beginning(other, count)

    def _alone(self, items: Sequence[Item], typed: _Typed) -> Sequence[Item]:
        """Return the items; an order that ends the player's game must be alone on its line."""
        leaving = next((item for item in items if isinstance(item, Parsed) and item.leaves), None)
        text = typed.folded.text.strip()
        if leaving is None or text == leaving.text:
            return items
        reason = f"{leaving.text} ends your game, so it must be the only thing on its line."
        return [Unparsed(text, typed.line.number, leaving.column, reason)]

    def _unread(self, typed: _Typed, effort: Effort) -> Sequence[Item]:
        """Return a line that cannot be read whole: its mistakes, or that it is words.

        Its other orders are read only if the line has nothing but orders and codes like them.
        """
        line, text, begins = typed.line, typed.text, typed.begins
        if len(line.text) > MOST_CHARACTERS:
            return [_refused(line, _TOO_LONG, "Split it into several lines.")]
        if self._has_layouts and _is_rule(text):
            return []
        may_be_words = not begins and self._has_layouts and effort is not UNADVISED
        is_words = may_be_words and self.advice.is_words(text)
        is_advised = is_words or effort.advises(line)
        if self._are_codes(text):
            codes = [*self._pieces(typed)]
            read = [piece for piece in codes if isinstance(piece, Parsed)]
            if not any(item.leaves for item in read):
                answers = self.advice.mistakes(codes) if is_advised else [_unadvised(text, line)]
                return sorted((*read, *answers), key=lambda item: item.column)
        if not is_advised:
            return [_unadvised(text, line)]
        is_words = is_words or (begins and self._has_layouts and self.advice.is_words(text))
        is_searched = begins and self._has_layouts and not is_struck(text)
        found = self.orders_among(text) if is_searched else ()
        to_send = self._to_send(found)
        pieces = self._pieces(typed)
        return self.advice.on_line(text, line, typed.folded, pieces, to_send, is_words=is_words)

    def _pieces(self, typed: _Typed) -> Iterator[Parsed | Unread]:
        """Yield each piece of a line, read or with what is wrong with it."""
        text, line, folded = typed.text, typed.line, typed.folded
        for piece in self._language.pieces(text):
            order, start = self._order(piece), piece.start()
            if isinstance(order, _WRONG):
                columns = folded.columns[start : piece.end() + 1]
                wrong = order if isinstance(order, ParseFailure) else Advice(*_impossible(order))
                yield Unread(piece[0], line.number, columns, wrong, not text[:start].strip())
            else:
                leaves = type(order) in self._leaving
                yield Parsed(order, piece[0], line.number, folded.columns[start], leaves)

    def _are_codes(self, text: str) -> bool:
        """Return whether *text* has only orders without blanks in them, and codes like them."""
        return self.grammar.separator is not Separator.LINES and all(
            CODE.fullmatch(word) or is_final(word) or self._language.understands(word)
            for word in text.replace(",", " ").split()
        )


@lru_cache(maxsize=64)
def reader_of(grammar: Grammar) -> Reader:
    """Return the reader of orders in *grammar*, the same one as long as it is the same object."""
    return Reader(grammar)


@lru_cache(maxsize=64)
def reader_in_phase(grammar: Grammar, others: tuple[Grammar, ...]) -> Reader:
    """Return the reader of orders in *grammar*, which knows the orders of *others* by name."""
    reader = reader_of(grammar)
    words = {word.upper() for other in others for word in reader_of(other).first_words}
    known = {word.upper() for word in reader.first_words}
    elsewhere = frozenset(word for word in words - known if len(word) > 1)
    return Reader(grammar, elsewhere=elsewhere) if elsewhere else reader


def ends_block(line: Line) -> bool:
    """Return whether *line* is the END of a block."""
    return plain(line.text).strip().upper() == "END"


def _first_word(line: Line) -> str:
    words = plain(line.text[:MOST_CHARACTERS]).split(maxsplit=1)
    return words[0].upper() if words else ""


def _column(line: Line) -> int:
    folded = fold(line.text[:MOST_CHARACTERS])
    return folded.columns[len(folded.text) - len(folded.text.lstrip())]


def _impossible(wrong: UserError | re.Match[str]) -> tuple[int, str]:
    """Return the place and the reason of an order that cannot be, or has a long number."""
    if isinstance(wrong, UserError):
        return 0, str(wrong)
    return wrong.start(), f"A number has at most {MOST_DIGITS} digits."


def _is_rule(text: str) -> bool:
    """Return whether a line is only drawn, as between the parts of a letter."""
    return not text.strip(_DRAWN)


def _segmentations(
    pieces: Sequence[re.Match[str]], understands: Callable[[str], bool]
) -> list[tuple[tuple[int, str], ...]]:
    """Return at most two ways in which *pieces*, joined, are orders: each with its first piece.

    Two numbers or words never become one, nor what is more than a blank apart.
    """
    words = [piece[0] for piece in pieces]
    ways: list[list[tuple[tuple[int, str], ...]]] = [[()]]
    first = 0
    for end in range(1, len(words) + 1):
        piece = pieces[end - 1]
        behind = pieces[end - 2].end() - 1
        if end > 1 and not _JOINABLE.fullmatch(piece.string, behind, piece.start() + 2):
            first = end - 1
        begun = (at for at in range(first, end) if ways[at])
        starts = [at for at in begun if understands("".join(words[at:end]))]
        found = ((*way, (at, "".join(words[at:end]))) for at in starts for way in ways[at])
        ways.append([*islice(found, 2)])
    return ways[-1]


def _together(typed: str) -> str:
    """Return the parts of a code as one, or "" for words without a figure, or two numbers."""
    is_apart = _MARKED.search(typed) and not _NUMBERS.search(typed)
    return typed.replace(" ", "") if " " not in typed or is_apart else ""


def _parts(text: str, words: Sequence[re.Match[str]]) -> Sequence[re.Match[str]]:
    """Return the first of *words*, and those behind it that can be parts of the same order."""
    near = takewhile(lambda two: text[two[0].end() : two[1].start()] in _WITHIN, pairwise(words))
    return [*words[:1], *(word for _, word in near)]


def _left_over(text: str, parts: Sequence[str]) -> str:
    """Return the rest of *text* from the beginning of its *parts* on, without the parts."""
    starts = [len(part) - len(part.lstrip()) for part in parts]
    kept = zip(text, *(part.ljust(len(text)) for part in parts), strict=True)
    rest = "".join(" " if any(c != " " for c in own) else typed for typed, *own in kept)
    return rest[min(starts, default=len(rest)) :]


def _are_orders(items: Sequence[Item]) -> bool:
    return bool(items) and all(isinstance(item, Parsed) for item in items)


def _unadvised(text: str, line: Line) -> Unparsed:
    """Return a line that may be an order, of which nothing more is said."""
    return Unparsed(text.strip(), line.number, _column(line), NO_ORDER.reason)


def _refused(line: Line, reason: str, advice: str = "") -> Unparsed:
    return Unparsed(line.text[:40], line.number, 1, reason, advice)


def read_orders(grammar: Grammar, text: str) -> tuple[Any, ...]:
    """Return the orders of *text*. Raises UserError, with line and column, for anything else."""
    items = reader_of(grammar).read(text)
    for item in items:
        if isinstance(item, Unparsed):
            place = f"line {item.line}, column {item.column}: {item.text}"
            raise UserError(f"{place}: {item.reason} {item.advice}".rstrip())
    return tuple(item.order for item in items if isinstance(item, Parsed))
