"""Everyday words of the languages that players write, which no order is made of.

``everyday.txt`` has them. It need not have all: they decide only where a line can be either.
"""

import re
from pathlib import Path
from typing import Final

TWO_WORDS: Final = {"FORGET": "ME", "MY": "DATA"}
"""Words of commands that are so common that they count only before their second word."""
_WORD: Final = re.compile(r"[^\W_]+(?:['_-][^\W_]+)*")


def _lists() -> list[frozenset[str]]:
    """Return the lists of the file, each of which begins with a line that describes it."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    return [frozenset(part.split()) for part in re.split("^#.*\n", text, flags=re.MULTILINE)[1:]]


_NEGATIONS, _OTHERS = _lists()


def words_of(text: str) -> list[str]:
    """Return the words of *text*: letters and digits, without the marks around them."""
    return _WORD.findall(text)


def is_everyday(word: str) -> bool:
    """Return whether *word* is an everyday word of more than one letter, or a negation."""
    folded = word.casefold()
    return len(folded) > 1 and (folded in _NEGATIONS or folded in _OTHERS)


def negates(text: str) -> bool:
    """Return whether *text* has a word that takes back what is next to it."""
    return any(word.casefold() in _NEGATIONS for word in words_of(text))
