"""Words: lines that do nothing. Everyday words tell them from orders and commands with mistakes.

``everyday.txt`` has words of the languages that players write, of which no order is made. It need
not have all. It is for advice: no line does anything, or nothing, because of it.
"""

import re
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from referee.parsing.failure_position import ParseFailure
from referee.parsing.language import Language
from referee.parsing.layout import PLEASE, is_struck
from referee.parsing.lines import TWO_WORDS, words_of
from referee.rules.ruleset import Separator, UserError

_LEAST_NEAR: Final = 2
"""So many characters of capitals that begin an order are not an ordinary word."""
_LEAST_VERB: Final = 3
"""A shorter word that begins an order is part of a code."""
_MOST_KNOWN: Final = 4096
_MOST_COUNTED: Final = 512
_MISSPELT: Final = 0.75
_LEAST_MISSPELT: Final = 4
_BLANKS: Final = re.compile(r"[\s,;|]+")
_MARKS: Final = ".,:;!?\"'()[]{}*_`<>"
_FIGURE: Final = re.compile(r"[0-9*]")
"""Marks of an order that no sentence has."""
_SHOUTED: Final = re.compile("[A-Z]{2,}")
"""The verb of an order, as people type it who mean it."""
_ARTICLES: Final = frozenset({"a", "I"})


_ORDINARY: Final = frozenset((*TWO_WORDS, *TWO_WORDS.values()))
_CANCEL: Final = re.compile(r"\bcancel\b", re.IGNORECASE)


def _lists() -> list[frozenset[str]]:
    """Return the lists of the file, each of which begins with a line that describes it."""
    text = Path(__file__).with_name("everyday.txt").read_text(encoding="utf-8")
    return [frozenset(part.split()) for part in re.split("^#.*\n", text, flags=re.MULTILINE)[1:]]


_NEGATIONS, _BEGIN_DOUBT, _OTHERS = _lists()


def is_everyday(word: str) -> bool:
    """Return whether *word* is an everyday word of more than one letter, or a negation."""
    folded = word.casefold()
    return len(folded) > 1 and (folded in _NEGATIONS or folded in _OTHERS)


def negates(text: str) -> bool:
    """Return whether *text* has a word that takes back what is next to it."""
    return any(word.casefold() in _NEGATIONS for word in words_of(text))


def denies(text: str) -> bool:
    """Return whether words before a colon deny, ask, or want to take away what follows."""
    first = "".join(words_of(text)[:1]).casefold()
    return text.rstrip().endswith(":") and ("?" in text or negates(text) or first in _BEGIN_DOUBT)


class _Count(NamedTuple):
    """The words of a text: orders and their near misses, everyday words, and others."""

    known: int
    everyday: int
    others: int

    @property
    def prose(self) -> int:
        """The words that no order is made of."""
        return self.everyday + self.others


class Words:
    """The words of one language, orders or commands, as opposed to other words."""

    def __init__(
        self,
        language: Language,
        blocks: frozenset[str],
        elsewhere: frozenset[str] = frozenset(),
        *,
        named: bool,
    ) -> None:
        """Build the words; *named* says that an order can have any word in it, like a ship's name.

        *elsewhere* are the first words of orders of other phases, in capitals.
        """
        self._language = language
        self._elsewhere = elsewhere
        self._named = named
        grammar = language.grammar
        fixed = (language.literals() | blocks | grammar.joined) - _ORDINARY
        self._hinted = frozenset(grammar.hints) | elsewhere
        self._fixed = frozenset(word.upper() for word in fixed if len(word) > 1)
        # People write the same words again and again.
        self._is_known = lru_cache(maxsize=_MOST_KNOWN)(self._finds_known)
        self._count = lru_cache(maxsize=_MOST_COUNTED)(self._count_words)
        self._first = language.first_words() | blocks
        self._by_words = grammar.separator is not Separator.LINES

    def is_words(self, text: str) -> bool:
        """Return whether *text*, which is not read as typed, is words and no order with a mistake.

        It is if it asks a question, if it negates, if words are struck out, or if most of its words
        are neither part of an order or command nor nearly so. Half of them are enough if one is an
        everyday word. A line is an order with a mistake if its first word is both everyday and that
        of an order, as in GIVE 5, and at most one other word is everyday.
        """
        if "?" in text or is_struck(text) or negates(_CANCEL.sub("", text)):
            return True
        word = text.strip().strip(_MARKS)
        if word.isascii() and not word.isalpha() and re.fullmatch(r"\S*[A-Za-z]\S*", word):
            # A code is meant, and nothing around it says otherwise.
            return False
        count = self._count(text)
        if "".join(words_of(text)[:1]).upper() in self._hinted and not count.everyday:
            return False
        if self._is_begun(text, count) or self._is_plain_order(text):
            return False
        if not count.known:
            return True
        if self._begins(text) and text.split(maxsplit=1)[0].isupper():
            # A player who types the word of a command in capitals means it.
            return count.everyday > count.known
        half = count.prose == count.known and count.everyday > 0
        return count.prose > count.known or half

    def is_sentence(self, text: str) -> bool:
        """Return whether *text*, which has the form of an order, could be a sentence as well.

        It has an everyday word where an order has a name. No sentence has a figure or a star, or
        begins with a word in capitals.
        """
        words = words_of(text)
        if not (self._named and words) or _FIGURE.search(text) or _SHOUTED.fullmatch(words[0]):
            return False
        free = [word for word in words if not self._is_fixed(word)]
        return any(is_everyday(word) or word in _ARTICLES for word in free)

    def _count_words(self, text: str) -> _Count:
        known = everyday = others = 0
        named = self._named and self._begins(text)
        for typed in _BLANKS.split(text):
            word = typed.strip(_MARKS)
            if not any(map(str.isalpha, word)) or word.casefold() in PLEASE:
                continue
            if word.upper() in self._fixed and is_everyday(word):
                continue
            if self._is_known(word):
                known += 1
            elif is_everyday(word) or not word.isascii():
                everyday += 1
            elif not named:
                others += 1
        return _Count(known, everyday, others)

    def _begins(self, text: str) -> bool:
        """Return whether *text* begins with a word of the language."""
        words = text.split(maxsplit=1)
        return bool(words) and words[0].strip(_MARKS).upper() in self._first

    def _is_begun(self, text: str, count: _Count) -> bool:
        """Return whether *text* begins an order with an everyday word, and is no sentence.

        Only where a line is one order. In small letters it needs a number, or nothing behind it.
        """
        first, *others = words_of(text)[:2] or [""]
        is_elsewhere = first.upper() in self._elsewhere
        if not (self._named and is_everyday(first) and (is_elsewhere or self._begins(text))):
            return False
        meant = first.isupper() or not others or any(map(str.isdigit, text))
        return meant and count.everyday <= (2 if is_elsewhere else 1)

    def _is_plain_order(self, text: str) -> bool:
        """Return whether *text* begins with the verb of an order, and has a number behind it.

        It has no order: that one would be quoted.
        """
        typed = [word for word in words_of(text) if word.casefold() not in PLEASE]
        verb = "".join(typed[:1]).upper()
        is_verb = len(verb) >= _LEAST_VERB and verb in self._hinted | self._first
        if not is_verb or any(map(self._language.understands, typed)):
            return False
        return any(word[-1].isdigit() for word in typed) and self._count(text).everyday <= 1

    def _is_fixed(self, word: str) -> bool:
        return word.upper() in self._fixed or self._language.is_fixed(word)

    def _finds_known(self, word: str) -> bool:
        """Return whether *word* is an order or part of one, or nearly so."""
        if self._is_fixed(word) or (self._by_words and self._language.understands(word)):
            return True
        if is_everyday(word):
            return False
        if not word.isalpha():
            return any(map(str.isdigit, word)) and (word[0].isalpha() or self._fits(word))
        return self._is_misspelt(word) or (word.isupper() and self._fits(word))

    def _is_misspelt(self, word: str) -> bool:
        if len(word) < _LEAST_MISSPELT:
            return False
        return bool(get_close_matches(word.upper(), self._fixed, n=1, cutoff=_MISSPELT))

    def _fits(self, word: str) -> bool:
        """Return whether *word* begins as an order does."""
        if not self._by_words:
            return False
        try:
            failure = self._language.read(word)
        except UserError:
            return True
        return isinstance(failure, ParseFailure) and failure.at >= _LEAST_NEAR
