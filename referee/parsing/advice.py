"""Advice on lines that are not orders: a near miss, a known mistake, or that a line is words.

No line does anything, or nothing, because of it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain, filterfalse, groupby, islice, takewhile
from string import ascii_uppercase
from typing import NamedTuple

from referee.domain.mail_transfer import Line
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.language import END, Language, ParseFailure, fixed_text
from referee.parsing.lines import (
    CODE,
    MOST_CHARACTERS,
    PLEASE,
    TWO_WORDS,
    Folded,
    bare_words,
    first_of_words,
    fold,
    foreign,
    is_struck,
    latinised,
    words_of,
)
from referee.parsing.words import is_everyday
from referee.rules.ruleset import Separator, UserError
from referee.rules.wording import listed

_SAMPLES = ("5", *(f"{letter}5" for letter in ascii_uppercase))
"""Texts that can replace a terminal in a proposal: a number, or a letter and a number."""

_LETTERS = re.compile("[A-Za-z]+")
_WORD = re.compile("[A-Za-z]{3,}")
_PROSE = re.compile("[A-Za-z]{3,}|[A-Za-z]{2,} ")
_MARK = re.compile("[^A-Za-z0-9]")
_BETWEEN = re.compile(r"\b(?:AT|FROM|INTO|ON|ONTO|THROUGH|TO)\b *", re.IGNORECASE)
"""English words that can be between the parts of an order, but not everywhere."""
_FOUND = re.compile("[A-Za-z]{1,20}|[0-9]{1,20}|[^A-Za-z0-9]")

_ALIKE = 0.7
_NUMBER = "a number"
"""The similarity ratio of difflib from which a word counts as misspelt."""

_MOST_CHOICES = 18
"""A longer list of what was expected helps nobody."""
_MOST_FOUND = 20


class Advice(NamedTuple):
    """Why a text is not an order, at which place of it, and a fix.

    *plain* means that nothing in particular is known, as of prose among the orders. *is_hint* means
    that the text is the first word of an order in plain English.
    """

    at: int
    reason: str
    fix: str = ""
    plain: bool = False
    is_hint: bool = False


NO_ORDER = Advice(0, "This is not an order.", plain=True)


_NO_ORDERS = Advice(0, "These words are not orders.", plain=True)
_OF_WORDS = frozenset({NO_ORDER.reason, _NO_ORDERS.reason})
_AMONG = "The words on this line are not orders, so nothing on it was read."
_BULLET = re.compile(r"[-*+\u2022\u2023\u25aa\u25cf>]+")
"""The mark of a list, which counts as no order of its own."""
_FIGURE = re.compile(r"[0-9*]")
"""Marks of an order that no sentence has."""
_OF_CODES = re.compile(r"[0-9*=]")
"""Marks that no word has."""
_SHOUTED = re.compile("[A-Z]{2,}")
"""The verb of an order, as people type it who mean it."""
_APART = re.compile(r"(?<![^\W_].)(?<=[A-Za-z]) (?=[0-9])")
"""The blank between a letter and a number of a code."""
_ARTICLES = frozenset({"a", "I"})
_ORDINARY = frozenset((*TWO_WORDS, *TWO_WORDS.values()))
_LEAST_NEAR = 2
"""So many characters of capitals that begin an order are not an ordinary word."""
_LEAST_MISSPELT = 4
_MOST_KNOWN = 4096
_BEGUN_WITH = (
    "5",
    *(f"{letter}{behind}" for behind in ("5", "", "A") for letter in ascii_uppercase),
    "1=",
    "1A",
    "XYZ",
)
"""Texts that can stand for a terminal when an order is completed."""
_MOST_COMPLETED = 4
_MOST_BEGUN = 40
_MOST_KINDS = 4
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


class _Known(NamedTuple):
    """An example of a mistake, with its advice in two sentences."""

    wrong: str
    reason: str
    fix: str


class Adviser:
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
        self._elsewhere = elsewhere
        self._is_named = is_named
        self._of_orders = of_orders
        grammar = language.grammar
        self._are_lines = grammar.separator is Separator.LINES
        literals = language.literals()
        fixed = (literals | blocks | grammar.joined) - _ORDINARY
        self._fixed = frozenset(word.upper() for word in fixed if len(word) > 1)
        first = language.first_words | blocks | frozenset(grammar.hints)
        self._first = frozenset(word.upper() for word in first if len(word) > 1)
        # People write the same words again and again.
        self._is_known = lru_cache(maxsize=_MOST_KNOWN)(self._finds_known)
        self._examples: defaultdict[tuple[int, str], list[_Known]] = defaultdict(list)
        self._by_state: dict[int, set[tuple[str, str]]] = {}
        words = {word for word in literals if len(word) > 1 and word.isalpha()}
        self._words = sorted(words.union(grammar.blocks, grammar.joined))
        self._samples = {name: _sample(language, name) for name in language.terminals}
        self._choices = {name: self._in_words(name) for name in language.terminals}
        for example in grammar.examples:
            if language.understands(example.wrong):
                raise ValueError(f"the example {example.wrong!r} is no mistake")
            stumble = language.read(example.wrong)
            advice = _sentences(example.advice)
            self._examples[stumble.state, stumble.kind].append(_Known(example.wrong, *advice))
            self._by_state.setdefault(stumble.state, set()).add(advice)

    def is_sentence(self, text: str) -> bool:
        """Return whether *text*, which has the form of an order, could be a sentence as well.

        It has an everyday word where an order has a name. No sentence has a figure or a star, or
        begins with a word in capitals.
        """
        words = words_of(text)
        if not (self._is_named and words) or _FIGURE.search(text) or _SHOUTED.fullmatch(words[0]):
            return False
        free = [word for word in words if not self._is_fixed(word)]
        return any(is_everyday(word) or word in _ARTICLES for word in free)

    def is_words(self, text: str) -> bool:
        """Return whether *text*, which cannot be read, is words and no order with a mistake.

        A heading without codes and words that are struck out are words. Among codes a mistake is a
        line of which half are orders or parts of them, or nearly so; elsewhere a line that is read
        beyond its first word, or has no other words than those of orders.
        """
        typed_apart = _APART.sub("", text)
        words = bare_words(typed_apart)
        typed = [*filter(_says_much, words)]
        is_heading = text.rstrip().endswith(":") and not CODE.search(text)
        if not typed or is_struck(text) or is_heading:
            return True
        first = first_of_words(text)
        is_alone = len(words) == 1
        if (is_alone and _OF_CODES.search(text)) or first.upper() in self._elsewhere:
            return False
        if (is_alone or first.isupper()) and _is_near(first, self._first):
            return False
        # A word of letters is found in fewer steps, and often decides.
        unknown = filterfalse(self._is_known, sorted(typed, key=str.isalpha, reverse=True))
        least = 0 if self._are_lines else len(typed) // 2
        if next(islice(unknown, least, None), None) is None:
            return False
        whole = text.strip()
        is_begun = self._are_lines and self._language.begun_at.match(whole)
        reach = self._reach(whole) if is_begun else 0
        return reach <= len(whole) and len(whole[:reach].split()) <= 1

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
        is_words: bool,
    ) -> list[Unparsed]:
        """Return the answers to a line: one that it is words, or one to each mistake in it.

        *to_send* are lines with the orders among its words.
        """
        if not is_words:
            pieces = [*pieces]
            answers = self.mistakes(pieces)
            if answers or not self._of_orders:
                others = sum(isinstance(piece, Parsed) for piece in pieces)
                if (
                    len(answers) > 1
                    and to_send
                    and all(item.reason in _OF_WORDS for item in answers)
                ):
                    among = answers[0]._replace(text=text.strip(), reason=_AMONG, others=others)
                    return [among._replace(to_send=to_send)]
                return _with_rest(answers, others, to_send)
        words, column = text.strip(), folded.columns[len(text) - len(text.lstrip())]
        reason = (NO_ORDER if self._is_named or " " not in words else _NO_ORDERS).reason
        return [Unparsed(words, line.number, column, reason, is_words=True, to_send=to_send)]

    def mistakes(self, pieces: Iterable[Parsed | Unread]) -> list[Unparsed]:
        """Return the answers to the unread pieces, one for those that belong together."""
        answers: list[Unparsed] = []
        for _, group in groupby(pieces, type):
            unread = [piece for piece in group if isinstance(piece, Unread)]
            named = [
                each for each in unread if not (each.is_first and _BULLET.fullmatch(each.text))
            ]
            advised = [(piece, self._advise_on(piece)) for piece in named]
            answers += _joined(advised)
        # Next to a mistake, "please" is not another one.
        return [item for item in answers if item.text.casefold() not in PLEASE] or answers

    def _advise_on(self, piece: Unread) -> Advice:
        wrong = piece.wrong
        return wrong if isinstance(wrong, Advice) else self.advise(piece.text, wrong)

    def _is_fixed(self, word: str) -> bool:
        return word.upper() in self._fixed or self._language.is_fixed(word)

    def _finds_known(self, word: str) -> bool:
        """Return whether *word* is an order or part of one, or nearly so."""
        if self._is_fixed(word) or word.upper() in self._first:
            return True
        if self._language.understands(word):
            return True
        if not word.isalpha():
            return any(map(str.isdigit, word)) and (
                word[0].isalpha() or self._reach(word) >= _LEAST_NEAR
            )
        if _is_near(word, self._fixed):
            return True
        return word.isupper() and self._reach(word) >= _LEAST_NEAR

    def _reach(self, text: str) -> int:
        """Return the place where *text* fails as an order, behind it if nowhere or for a number."""
        try:
            failure = self._language.read(text)
        except UserError:
            return len(text) + 1
        return failure.at if isinstance(failure, ParseFailure) else len(text) + 1

    def advise(self, text: str, stumble: ParseFailure) -> Advice:
        """Return the best advice on *text*, which fails to parse at *stumble*."""
        return (
            self._slip(text)
            or self._two_orders(text, stumble.at)
            or self._zero(text, stumble)
            or self._hint(text)
            or self._word(text, stumble)
            or self._by_example(text, stumble)
            or self._misspelt(text)
            or self._misplaced(text)
            or self._one_step_away(text, stumble)
            or self._expected(text, stumble)
        )

    def _slip(self, text: str) -> Advice | None:
        """Advise on a typo that can be corrected, or at least named."""
        if (letter := foreign(text)) is not None:
            looks = f", which looks like {letter.latin}" if letter.latin else ""
            latin = latinised(text)
            fix = f"Write {latin} in Latin letters." if self._reads(latin) else ""
            return Advice(letter.at, f"This is the {letter.name}{looks}.", fix)
        # Text of letters only is prose, not a typo.
        slips = () if text.isalpha() or not _ANY_SLIP.search(text) else _SLIPS
        if (signed := _SIGNED.search(text)) and self._reads(_SIGNED.sub("", text)):
            # Without the mark it would be another number.
            return Advice(signed.start(), "A number has no sign and no marks in it.")
        for pattern, replacement, reason in slips:
            found = pattern.search(text)
            if found and self._reads(corrected := pattern.sub(replacement, text)):
                return Advice(found.start(), reason, f"Write {corrected}.")
        return None

    def _two_orders(self, text: str, at: int) -> Advice | None:
        first, second = text[:at].strip(" ,"), text[at:].lstrip(" ,")
        if first and second and self._reads(first) and self._reads(second):
            by_lines = self._language.grammar.separator is Separator.LINES
            apart = "each on its own line" if by_lines else f"{first} {second} with a space"
            return Advice(at, f"Another order starts after {first}.", f"Write {apart}.")
        return None

    def _zero(self, text: str, stumble: ParseFailure) -> Advice | None:
        """Advise on the number 0 where a number is expected, alone or in a code such as F0."""
        found = _ZERO.search(text)
        if found and self._reads(_ZERO.sub("5", text)):
            letter = text[found.start() - 1 : found.start()].upper()
            is_code = f"{letter}5" in self._samples.values() and letter
            known = f"There is no {letter}0. Numbers begin at 1." if is_code else _FROM_ONE
            return Advice(found.start(), known)
        if text[stumble.at : stumble.at + 1] != "0":
            return None
        number = any(self._samples[name] == "5" for name in stumble.expected - {END})
        return Advice(stumble.at, _FROM_ONE) if number else None

    def _hint(self, text: str) -> Advice | None:
        """Advise on a first word that is one of another phase, or that the language lacks."""
        found = _LETTERS.match(text)
        word = found[0].upper() if found is not None else ""
        if word in self._elsewhere:
            reason = f"{word} is an order of another phase."
            return Advice(0, reason, "HELP ORDERS shows the orders of this phase.", is_hint=True)
        hint = self._language.grammar.hints.get(word)
        if found is None or hint is None or text[found.end() : found.end() + 1].isalnum():
            return None
        return Advice(0, f"Unknown word {found[0]}.", hint, is_hint=True)

    def _word(self, text: str, stumble: ParseFailure) -> Advice | None:
        """Recognise a word of English, of which only the first letters are a code."""
        behind = text[stumble.at :]
        is_code = not stumble.at or not behind or len(behind) < stumble.at
        if is_code or not text.isalpha() or self._most_alike(text.upper()):
            return None
        return NO_ORDER if len(text) > 2 or behind.islower() else None

    def _by_example(self, text: str, stumble: ParseFailure) -> Advice | None:
        alike = self._examples.get((stumble.state, stumble.kind))
        if alike:
            # Orders of several kinds can fail at the same place: of these, one that begins alike.
            begin = text[:1].upper()
            _, reason, fix = next((each for each in alike if each.wrong[0] == begin), alike[0])
        elif len(stumble.expected) <= 3 and len(self._by_state.get(stumble.state, ())) == 1:
            # Where few things can follow, one advice fits every mistake.
            ((reason, fix),) = self._by_state[stumble.state]
        else:
            return None
        if "{}" in fix:
            corrected = next(self._one_more(text, stumble), None)
            fix = "" if corrected is None else fix.replace("{}", corrected)
        return Advice(stumble.at, reason, fix)

    def _misspelt(self, text: str) -> Advice | None:
        found = _WORD.match(text)
        if found is None:
            return None
        typed = found[0].upper()
        near = self._most_alike(typed)
        if near in ("", typed):
            return None
        corrected = near + text[found.end() :]
        return Advice(0, f"Unknown word {found[0]}.", f"Did you mean {corrected}?")

    def _most_alike(self, typed: str) -> str:
        """Return the word of the language that is most like *typed*, or "".

        The key of a block would take all lines below it, so only a typo is similar to one.
        """
        blocks = self._language.grammar.blocks
        words = [word for word in self._words if word not in blocks or is_typo(typed, word)]
        return next(iter(get_close_matches(typed, words, n=1, cutoff=_ALIKE)), "")

    def _misplaced(self, text: str) -> Advice | None:
        """Advise on a word such as TO where none belongs."""
        for found in _BETWEEN.finditer(text):
            without = f"{text[: found.start()]}{text[found.end() :]}".strip()
            if found.start() and self._reads(without):
                reason = f"{found[0].strip()} does not belong here."
                return Advice(found.start(), reason, f"Did you mean {without}?")
        return None

    def _one_step_away(self, text: str, stumble: ParseFailure) -> Advice | None:
        if stumble.at == 0:
            return None
        proposals = set(self._one_more(text, stumble))
        before, after = text[: stumble.at], text[stumble.at + 1 :]
        # Two numbers that would run into each other are no proposal. Without a letter or a digit it
        # would be another order.
        is_mark = not text[stumble.at : stumble.at + 1].isalnum() and not _runs_on(before, after)
        if not proposals and is_mark and self._reads(before + after):
            proposals = {before + after}
        if len(proposals) != 1:
            return None
        reason = self._reason(text, stumble)
        return Advice(stumble.at, reason, f"Did you mean {proposals.pop()}?")

    def _one_more(self, text: str, stumble: ParseFailure) -> Iterator[str]:
        """Yield the text with one more thing at the place that makes it an order."""
        for name in sorted(stumble.expected - {END}):
            fixed = fixed_text(self._language.terminals[name])
            more = fixed or self._samples[name]
            is_complete = self._are_lines or END in stumble.expected
            if more is None or (is_complete and more.isdigit()):
                # Where an order is a line of words, or is complete, a number is an invention.
                continue
            before, after = text[: stumble.at], text[stumble.at :]
            has_blanks = more.isalpha() and (self._are_lines or " " in before)
            spaced = _spaced(before, more, after)
            corrected = spaced if has_blanks else before + more + after
            runs_on = _runs_on(before, more) or _runs_on(more, after)
            if not runs_on and self._reads(corrected):
                yield corrected

    def _expected(self, text: str, stumble: ParseFailure) -> Advice:
        if stumble.at == 0 and (_PROSE.match(text) or _MARK.match(text)):
            return NO_ORDER
        return Advice(stumble.at, self._reason(text, stumble), plain=stumble.at == 0)

    def _reason(self, text: str, stumble: ParseFailure) -> str:
        if stumble.at == 0:
            return self._beginning(text, stumble)
        before, found = text[: stumble.at].strip(), _found(text[stumble.at :])
        names = stumble.expected - {END}
        choices = sorted({choice for name in names for choice in self._choices[name]})
        is_complete = END in stumble.expected and choices != [_NUMBER]
        if not choices or (is_complete and len(text) > stumble.at):
            return f"Unexpected text after {before}: {found}."
        if len(choices) > _MOST_CHOICES:
            return f"Expected something else after {before}, but found {found}."
        return f"Expected {listed(choices, joint='or')} after {before}, but found {found}."

    def _beginning(self, text: str, stumble: ParseFailure) -> str:
        """Return the error of a text that fails at its beginning."""
        if not text:
            return "Expected an order."
        names = [name for name in stumble.expected - {END} if self._starts(name, text[0].upper())]
        choices = sorted({choice for name in names for choice in self._choices[name]})
        if not choices:
            return f"No order starts with {text[0]}."
        if len(choices) > _MOST_CHOICES:
            return NO_ORDER.reason
        return f"Expected {listed(choices, joint='or')}, but found {text[:_MOST_FOUND]}."

    def _starts(self, name: str, letter: str) -> bool:
        """Return whether a terminal begins with *letter*, or its sample does."""
        fixed = fixed_text(self._language.terminals[name]) or self._samples[name] or ""
        return fixed.upper().startswith(letter)

    def _in_words(self, name: str) -> list[str]:
        """Return the words for a terminal, without its name if possible."""
        fixed = fixed_text(self._language.terminals[name])
        if fixed is not None:
            return [fixed]
        sample = self._samples[name]
        if sample == "5":
            return [_NUMBER]
        letters = [letter for letter in ascii_uppercase if self._language.matches(name, letter)]
        if 0 < len(letters) < 5:
            return letters
        words = name.split("__")[-1].lower().replace("_", " ")
        article = "an" if words[0] in "aeiou" else "a"
        return [f"a code like {sample}" if sample else f"{article} {words}"]

    def _reads(self, text: str) -> bool:
        """Return whether *text* is an order to propose; one letter can end a game."""
        return len(text) > 1 and self._language.understands(text)


def _runs_on(before: str, after: str) -> bool:
    """Return whether two numbers would become one."""
    return before[-1:].isdigit() and after[:1].isdigit()


def _spaced(before: str, more: str, after: str) -> str:
    """Return the three as one text, with blanks around the word in the middle."""
    gap = "" if after.lstrip()[:1] in (":", "") else " "
    return f"{before.rstrip()} {more}{gap}{after.lstrip()}".lstrip()


_FROM_ONE = "A number here must be at least 1."
_ZERO = re.compile(r"(?<![0-9])0(?![0-9])")
_SIGNED = re.compile(r"-(?=[0-9])|(?<=[0-9])[-_./:>]+(?=[0-9])")
"""Marks without which a number would be another one."""
_SLIPS = (
    (re.compile(r"(?<![0-9])0+(?=[1-9])"), "", "A number has no leading zeros."),
    (re.compile(r"(?<=[0-9])[oO]|[oO](?=[0-9])"), "0", "This is the letter O, not a zero."),
    (re.compile(r"(?<=[A-Za-z])0(?=[A-Za-z])"), "O", "This is a zero, not the letter O."),
    (re.compile(r"(?<=[0-9])l|(?<=[A-Z])l(?=[0-9])"), "1", "This is the letter l, not a one."),
    (
        re.compile(r"(?<![.,;:!?)\]])[.,;:!?)\]]+$"),
        "",
        "An order ends without a full stop or other mark.",
    ),
    (re.compile(r"^[-+*>(\[.]+ *"), "", "An order starts without a mark."),
    (re.compile(r"[-_./:>]+"), "", "An order has no marks in it."),
)
"""Typos: the pattern, its replacement and the reason."""

_ANY_SLIP = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _, _ in _SLIPS))


def is_typo(typed: str, word: str) -> bool:
    """Return whether one letter of *word* was typed wrong, left out, added or swapped."""
    if abs(len(typed) - len(word)) > 1:
        return False
    same = next(
        (n for n, pair in enumerate(zip(typed, word, strict=False)) if pair[0] != pair[1]), None
    )
    if same is None:
        return abs(len(typed) - len(word)) == 1
    rest, wanted = typed[same:], word[same:]
    swapped = wanted[1:2] + wanted[:1] + wanted[2:]
    return rest == swapped or wanted[1:] in (rest, rest[1:]) or rest[1:] == wanted


def _sample(language: Language, name: str) -> str | None:
    """Return a number or a code that matches a terminal, or None if any word does."""
    if language.matches(name, "XYZ"):
        return None
    return next((text for text in _SAMPLES if language.matches(name, text)), None)


def _found(rest: str) -> str:
    """Return the text found where something else was expected."""
    found = _FOUND.match(rest.lstrip())
    return found[0] if found else "nothing"


def _sentences(advice: str) -> tuple[str, str]:
    first, mark, rest = re.fullmatch(r"(.*?)(?:([.?!]) (.*))?", advice, re.DOTALL).groups("")  # type: ignore[union-attr]  # the pattern fits any text
    return first + mark, rest


def _is_near(word: str, words: frozenset[str]) -> bool:
    """Return whether *word* is one of *words*, or one of them with a slip."""
    typed = word.upper()
    is_long = len(word) >= _LEAST_MISSPELT
    return typed in words or (is_long and any(is_typo(typed, each) for each in words))


@lru_cache(maxsize=_MOST_KNOWN)
def _says_much(word: str) -> bool:
    """Return whether *word* has a letter and is no *please*."""
    return any(map(str.isalpha, word)) and word.casefold() not in PLEASE


def _joined(advised: Sequence[tuple[Unread, Advice]]) -> Iterator[Unparsed]:
    """Yield an answer to each piece, one to all words in a row, or to all behind a hint."""
    while advised:
        (first, advice), *others = advised
        plain = [*takewhile(lambda each: each[1].plain, others)] if advice.plain else []
        words = [first, *(piece for piece, _ in (others if advice.is_hint else plain))]
        yield _unparsed(words, _NO_ORDERS if plain else advice)
        advised = advised[len(words) :]


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
        advice = f"{answers[-1].advice} Until it is fixed, the other {orders} not read."
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
        sample = fixed or next((s for s in _BEGUN_WITH if language.matches(name, s)), "")
        if sample:
            yield f"{text}{gap}{sample}"
