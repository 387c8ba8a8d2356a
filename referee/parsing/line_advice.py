"""Advice on a line that is not read: what is wrong with it, or that it is words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, takewhile
from string import ascii_uppercase
from typing import Final, NamedTuple

from referee.parsing.advice import NO_ORDER, Advice, Adviser
from referee.parsing.failure_position import END, ParseFailure
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.language import Language, fixed_text
from referee.parsing.layout import PLEASE
from referee.parsing.lines import MOST_CHARACTERS, Folded, Line, fold
from referee.parsing.words import Words
from referee.rules.ruleset import Separator

LETTERS: Final = 2
"""A longer piece of prose is a word, which never becomes an order by joining it to others."""
MOST_REJOINED: Final = 6
"""The most words that are tried as one order that was typed with spaces."""
NOT_READ: Final = "Until it is fixed,"
"""The first words about the orders next to a mistake, in its advice."""
_BULLET: Final = re.compile(r"[-*+\u2022\u2023\u25aa\u25cf>]+")
"""The mark of a list, which counts as no order of its own."""
_APART: Final = "An order has no spaces in it."
_LONGEST_APART: Final = 60
"""In a longer line nobody looks for an order that was typed with spaces."""
_NO_ORDERS: Final = Advice(0, "These words are not orders.", plain=True)
_SAMPLES: Final = (
    "5",
    *(f"{letter}{behind}" for behind in ("5", "", "A") for letter in ascii_uppercase),
    "1=",
    "1A",
    "XYZ",
)
"""Texts that can stand for a terminal when an order is completed."""
_MOST_COMPLETED: Final = 4
_MOST_BEGUN: Final = 40
_MOST_KINDS: Final = 4
"""A text that could become more kinds than these says nothing about what was meant."""


class Unread(NamedTuple):
    """A piece of a line that is not an order, and what is wrong with it.

    *columns* are those of its characters and the one after them; *is_first* means that nothing is
    before it.
    """

    text: str
    line: int
    columns: Sequence[int]
    wrong: ParseFailure | Advice
    is_first: bool = False

    def may_be_prose(self) -> bool:
        """Return whether nothing in particular is known of a whole word."""
        return isinstance(self.wrong, Advice) and self.wrong.plain and len(self.text) > LETTERS


class LineAdviser:
    """Advice on the lines of one language. No line does anything because of it."""

    def __init__(
        self,
        language: Language,
        blocks: frozenset[str],
        elsewhere: frozenset[str],
        *,
        is_named: bool,
        of_orders: bool,
    ) -> None:
        """Build the adviser. Raises ValueError if an example of a mistake is an order.

        *elsewhere* are the first words of orders of other phases, in capitals. *is_named* means
        that an order can have any word in it, like a ship's name; *of_orders*, that lines can be
        words.
        """
        self._language = language
        self._grammar = language.grammar
        self._adviser = Adviser(language, elsewhere)
        self._is_named = is_named
        self._of_orders = of_orders
        self._words = Words(language, blocks, elsewhere, named=is_named)

    def is_sentence(self, text: str) -> bool:
        """Return whether *text*, which is read as an order, could be a sentence as well."""
        return self._words.is_sentence(text)

    def is_words(self, text: str) -> bool:
        """Return whether *text*, which cannot be read, is words and not nearly an order."""
        return self._words.is_words(text)

    def kinds(self, text: str) -> frozenset[str]:
        """Return the rules of orders that the first piece of *text* is, or begins to be."""
        piece = next(self._language.pieces(fold(text[:MOST_CHARACTERS]).text.strip()), None)
        return _kinds(self._language, piece[0]) if piece is not None else frozenset()

    def on_line(
        self,
        text: str,
        line: Line,
        folded: Folded,
        pieces: Iterable[Parsed | Unread],
        to_send: tuple[str, ...],
        *,
        brief: bool,
    ) -> list[Unparsed]:
        """Return the answers to a line: one that it is words, or one to each mistake in it.

        *to_send* are lines with the orders among its words. A *brief* answer has no advice.
        """
        is_words = self._of_orders and self.is_words(text)
        if not (is_words and (brief or len(text) > _LONGEST_APART)):
            pieces = [*pieces]
            answers = self.mistakes(pieces, brief=brief)
            is_words = is_words and not any(answer.reason == _APART for answer in answers)
            if answers and not is_words:
                others = sum(isinstance(piece, Parsed) for piece in pieces)
                return _with_rest(answers, others, to_send)
            if not self._of_orders:
                return []
        words, column = text.strip(), folded.columns[len(text) - len(text.lstrip())]
        reason = (NO_ORDER if self._is_named or " " not in words else _NO_ORDERS).reason
        return [Unparsed(words, line.number, column, reason, is_words=True, to_send=to_send)]

    def mistakes(self, pieces: Iterable[Parsed | Unread], *, brief: bool) -> list[Unparsed]:
        """Return the answers to the unread pieces, one for those that belong together."""
        answers: list[Unparsed] = []
        before: Sequence[Parsed] = ()
        unread: list[Unread] = []
        for piece in pieces:
            if isinstance(piece, Parsed):
                answers += self._answers(before, unread)
                before, unread = (piece,), []
            elif not (piece.is_first and _BULLET.fullmatch(piece.text)):
                unread.append(self._known(piece, brief=brief))
        answers += self._answers(before, unread)
        # Next to a mistake, "please" is not another one.
        return [item for item in answers if item.text.casefold() not in PLEASE] or answers

    def _known(self, piece: Unread, *, brief: bool) -> Unread:
        """Return a piece with its advice, if it needs no other piece for it."""
        text, wrong = piece.text, piece.wrong
        if isinstance(wrong, Advice) or (not brief and (wrong.at or len(text) <= LETTERS)):
            # Other pieces may be parts of an order typed with spaces, which gets one advice.
            return piece
        return piece._replace(wrong=NO_ORDER if brief else self._adviser.advise(text, wrong))

    def _advice(self, piece: Unread) -> Advice:
        """Return the advice on a single piece."""
        wrong = piece.wrong
        return wrong if isinstance(wrong, Advice) else self._adviser.advise(piece.text, wrong)

    def _answers(self, before: Sequence[Parsed], unread: Sequence[Unread]) -> Iterator[Unparsed]:
        """Yield answers to the pieces after *before*, one for pieces that belong together."""
        while unread:
            words, advice = self._answer(before, unread)
            yield _unparsed(words, advice)
            before, unread = (), unread[len(words) :]

    def _answer(
        self, before: Sequence[Parsed], unread: Sequence[Unread]
    ) -> tuple[Sequence[Unread], Advice]:
        """Return the first pieces that belong together, and the advice on them."""
        if apart := self._apart(unread[:MOST_REJOINED]):
            return apart, _written_apart(apart)
        if before and (stray := self._stray(before[-1], unread[0])) is not None:
            return unread[:1], stray
        advice = self._advice(unread[0])
        if advice.is_hint:
            return unread, advice
        others = unread[1:] if advice.plain else ()
        prose = [*takewhile(lambda piece: self._advice(piece).plain, others)]
        return (unread[0], *prose), _NO_ORDERS if prose else advice

    def _apart(self, unread: Sequence[Unread]) -> Sequence[Unread]:
        """Return the pieces, from the first one on, that make one order when written together."""
        # Prose never becomes an order when it is joined.
        if unread[0].may_be_prose() or self._grammar.separator is Separator.LINES:
            return ()
        for length in range(len(unread), 1, -1):
            if self._language.understands("".join(piece.text for piece in unread[:length])):
                return unread[:length]
        return ()

    def _stray(self, before: Parsed, piece: Unread) -> Advice | None:
        """Advise on a word that would complete the order before it, as in ``F3L 5``."""
        together = next(filter(self._language.understands, self._joined(before.text, piece)), None)
        if self._grammar.separator is Separator.LINES or together is None:
            return None
        return Advice(0, NO_ORDER.reason, f"If you mean {together}, write it without a space.")

    def _joined(self, text: str, piece: Unread) -> Iterator[str]:
        """Yield the texts that *text* and the piece may mean together."""
        if self._grammar.separator is Separator.SPACES:
            yield f"{text},{piece.text}"
        yield text + piece.text


def _written_apart(pieces: Sequence[Unread]) -> Advice:
    together = "".join(piece.text for piece in pieces)
    return Advice(len(pieces[0].text), _APART, f"Did you mean {together}?")


def _unparsed(pieces: Sequence[Unread], advice: Advice) -> Unparsed:
    text = " ".join(piece.text for piece in pieces)
    columns = pieces[0].columns
    if len(pieces) > 1:
        columns = [*chain.from_iterable(piece.columns for piece in pieces)]
    column = columns[min(advice.at, len(columns) - 1)]
    return Unparsed(text, pieces[0].line, column, advice.reason, advice.fix, advice.at)


def _with_rest(answers: list[Unparsed], others: int, to_send: tuple[str, ...]) -> list[Unparsed]:
    """Return the answers, the last one with the number of orders next to the mistakes.

    If these are only words, it has lines to send for the orders, too.
    """
    if any(map(str.isdigit, "".join(item.text for item in answers))):
        to_send = ()
    if others and answers:
        orders = "order on this line is" if others == 1 else f"{others} orders on this line are"
        advice = f"{answers[-1].advice} {NOT_READ} the other {orders} not read."
        answers[-1] = answers[-1]._replace(advice=advice.strip(), others=others, to_send=to_send)
    return answers


def _kinds(language: Language, text: str) -> frozenset[str]:
    """Return the rule of the order *text*, or the rules that need least to complete its beginning.

    None if there are too many, or if less than half of the text begins an order. A word without
    digits and marks is only taken for a whole order.
    """
    found = language.rule_of(text)
    if isinstance(found, str):
        return frozenset({found})
    if text.isalpha() or 2 * found.at < len(text):
        return frozenset()
    begun = [text[: found.at].rstrip()]
    for _ in range(_MOST_COMPLETED):
        read = [(each, language.rule_of(each)) for each in begun[:_MOST_BEGUN]]
        whole = frozenset(rule for _, rule in read if isinstance(rule, str))
        if whole:
            return whole if len(whole) <= _MOST_KINDS else frozenset()
        begun = [
            longer
            for each, wrong in read
            if isinstance(wrong, ParseFailure) and wrong.at == len(each)
            for longer in _continued(language, each, wrong)
        ]
    return frozenset()


def _continued(language: Language, text: str, wrong: ParseFailure) -> Iterator[str]:
    """Yield *text* with each of the terminals that can follow."""
    gap = " " if language.grammar.separator is Separator.LINES else ""
    for name in sorted(wrong.expected - {END}):
        fixed = fixed_text(language.terminals[name])
        sample = fixed or next((s for s in _SAMPLES if language.matches(name, s)), "")
        if sample:
            yield f"{text}{gap}{sample}"
