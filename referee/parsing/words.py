"""Everyday words: ``everyday.txt`` has those of the languages that players write.

It need not have all. It is for advice: no line does anything, or nothing, because of it.
"""

import re
from pathlib import Path

from referee.parsing.lines import first_of_words, words_of


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
    """Return whether words deny or ask."""
    return "?" in text or not _NEGATIONS.isdisjoint(word.casefold() for word in words_of(text))


def denies(text: str) -> bool:
    """Return whether words before a colon deny, ask, or want to take away what follows."""
    if not text.rstrip().endswith(":"):
        return False
    return negates(text) or first_of_words(text).casefold() in _BEGIN_DOUBT
