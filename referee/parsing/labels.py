"""Labels before orders: ``F8: F8W2``, ``Order 1: F3W75``, ``First: F3W75``."""

import re
from typing import Final

_NUMBERED: Final = (
    r"orders?|moves?|befehle?|züge?|ordres?|orden|órden(?:es)?|ordin[ei]|rozkazy?|zet|opdracht"
)
_LABEL: Final = re.compile(
    r"\s*(?:\d{1,3}[.)]\s+)?[^\w\s]*"
    rf"(?P<label>(?:{_NUMBERED})(?:\s*\#?\d{{1,3}})?|\w+)[^\w\s:]*:[^\w\s(]*\s*",
    re.IGNORECASE,
)
_ORDINAL: Final = re.compile(
    rf"(?:{_NUMBERED})(?:\s*\#?\d{{1,3}})?"
    r"|first|second|third|fourth|fifth|sixth|then|next|last(?:ly)?|finally"
    r"|builds?|production|transfers?",
    re.IGNORECASE,
)
"""Words that say which of the orders follows. A name, or another word, may say whose it is."""
_TITLE: Final = re.compile(r"[^\w#]*orders?[^\w#]*:[^\w#]*", re.IGNORECASE)


def is_title(text: str) -> bool:
    """Return whether *text* is only the word ``Orders:``, as people write it above their orders."""
    return _TITLE.fullmatch(text) is not None


def is_ordinal(word: str) -> bool:
    """Return whether a word before a colon says which of the orders follows."""
    return _ORDINAL.fullmatch(word) is not None


def unlabelled(text: str) -> str:
    """Return *text* with blanks for the label that begins it, if it has one.

    A label is the first unit or word of what it precedes, or a word such as *first*.
    """
    found = _LABEL.match(text)
    if found is None:
        return text
    label, rest = found["label"], text[found.end() :]
    if not (_ORDINAL.fullmatch(label) or _begins(rest, label)):
        return text
    return " " * found.end() + rest


def _begins(rest: str, label: str) -> bool:
    """Return whether the orders *rest* are about the unit that *label* names."""
    first = re.match(rf"\W*{re.escape(label)}(?!\d)", rest, re.IGNORECASE)
    return first is not None or (not label.isdigit() and label in rest.split())
