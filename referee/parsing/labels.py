"""Labels before orders: ``F8: F8W2``, ``Order 1: F3W75``, ``My first order: F3W75``."""

import re
from typing import Final

from referee.parsing.lines import words_of

_LABEL: Final = re.compile(
    r"\s*(?:\d{1,3}[.)]\s+)?[^\w\s]*(?P<label>\w[\w #]{0,40}?)[^\w\s:]*:[^\w\s(]*\s*"
)
_OF_ORDERS: Final = frozenset(
    """order orders move moves befehl befehle zug züge ordre ordres orden órden órdenes ordine
    ordini rozkaz rozkazy zet zetten opdracht build builds production transfer transfers
    first second third fourth fifth sixth then next last lastly finally""".split()  # noqa: SIM905 - so many are easier to read without marks
)
"""Words that say which of the orders follows. A name, or another word, may say whose it is."""
_TITLE: Final = re.compile(r"[^\w#]*orders?[^\w#]*:[^\w#]*", re.IGNORECASE)


def is_title(text: str) -> bool:
    """Return whether *text* is only the word ``Orders:``, as people write it above their orders."""
    return _TITLE.fullmatch(text) is not None


def is_ordinal(label: str) -> bool:
    """Return whether the words before a colon say which of the orders follows."""
    words = {word for word in words_of(label.casefold()) if not word.isdigit()} - {"my", "the"}
    return bool(words) and words <= _OF_ORDERS


def unlabelled(text: str) -> str:
    """Return *text* with blanks for the label that begins it, if it has one.

    A label is the first unit or word of what it precedes, or words such as *my first order*.
    """
    found = _LABEL.match(text)
    if found is None:
        return text
    label, rest = found["label"], text[found.end() :]
    if not (is_ordinal(label) or _begins(rest, label)):
        return text
    return " " * found.end() + rest


def _begins(rest: str, label: str) -> bool:
    """Return whether the orders *rest* are about the unit that *label* names."""
    first = re.match(rf"\W*{re.escape(label)}(?!\d)", rest, re.IGNORECASE)
    return first is not None or (not label.isdigit() and label in rest.split())
