"""Lines as a player typed them, without the changes of typography."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MOST_CHARACTERS = 1000
"""A longer line has no orders: it is prose, or a joke."""

TWO_WORDS: Final = {"FORGET": "ME", "MY": "DATA"}
"""Words of commands that are so common that they count only before their second word."""
_WORD: Final = re.compile(r"[^\W_]+(?:['_-][^\W_]+)*")
_ASCII = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "-"),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f", '"'),
    **dict.fromkeys("\t\n\r\x0b\x0c\x85\u2028\u2029", " "),
}

_LOOKS_LIKE = dict(
    zip(
        "АВЕЅІЈКМНОРСТУХаеѕіјорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧονι",
        "ABESIJKMHOPCTYXaesijopcyxABEZHIKMNOPTYXovi",
        strict=True,
    )
)
"""Characters of other alphabets that look exactly like a Latin letter."""

_DOUBTS = "\u2717\u2718\u274c\u274e\u26d4\U0001f6ab\u2753\u2754\U0001f44e\U0001f914\U0001f6d1"
"""Crosses, question marks and the like: behind an order, they ask about it or take it back."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a player's own text as typed, with its number (from 1)."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Folded:
    """A line in ASCII where possible, and the typed column of each of its characters.

    *columns* count from 1 and have one more entry than *text*: the column after the last character.
    """

    text: str
    columns: Sequence[int]


@dataclass(frozen=True, slots=True)
class Foreign:
    """A character of another alphabet: its position, itself, and the Latin letter it resembles."""

    at: int
    name: str
    latin: str


def words_of(text: str) -> list[str]:
    """Return the words of *text*: letters and digits, without the marks around them."""
    return _WORD.findall(text)


def numbered(text: str) -> tuple[Line, ...]:
    """Return the lines of *text*, numbered from 1."""
    return tuple(Line(n, line) for n, line in enumerate(text.splitlines(), 1))


def plain(typed: str) -> str:
    """Return the folded text of *typed*."""
    return typed if typed.isascii() and typed.isprintable() else fold(typed).text


def fold(typed: str) -> Folded:
    """Fold blanks, dashes, quotes and full-width characters to ASCII, with their columns.

    A blank remains a blank; zero-width, bidirectional and control characters are removed.
    Characters of other alphabets do not change.
    """
    if typed.isascii() and typed.isprintable():
        return Folded(typed, range(1, len(typed) + 2))
    characters, columns = [], []
    for column, character in enumerate(typed, 1):
        for folded in _folded(character):
            characters.append(folded)
            columns.append(column)
    return Folded("".join(characters), (*columns, len(typed) + 1))


def foreign(text: str) -> Foreign | None:
    """Return the first character that is not Latin, or None."""
    if text.isascii():
        return None
    for at, character in enumerate(text):
        if character.isalpha() and not unicodedata.name(character, "LATIN").startswith("LATIN"):
            return Foreign(at, _character_name(character), _LOOKS_LIKE.get(character, ""))
    return None


def without_emoji(text: str) -> str:
    """Return *text* without the emoji and blanks at its end, unless an emoji casts doubt on it."""
    end = len(text)
    while end and (text[end - 1].isspace() or _is_emoji(text[end - 1])):
        end -= 1
    return text.rstrip() if casts_doubt(text[end:]) else text[:end]


def casts_doubt(text: str) -> bool:
    """Return whether *text* has a cross, a question mark or the like among its emoji."""
    return not text.isascii() and any(doubt in text for doubt in _DOUBTS)


def latinised(text: str) -> str:
    """Return *text* with every look-alike of another alphabet as the Latin letter it resembles."""
    return "".join(_LOOKS_LIKE.get(character, character) for character in text)


def _folded(character: str) -> str:
    if character in _ASCII:
        return _ASCII[character]
    if " " <= character <= "~":
        return character
    kind = unicodedata.category(character)
    if kind == "Zs":
        return " "
    # A variation selector is a mark, but invisible as the format characters are; so is the key
    # around a digit.
    if kind in ("Cc", "Cf") or "\ufe00" <= character <= "\ufe0f" or character == "\u20e3":
        return ""
    # Superscripts and fractions stay: F3 with a footnote 2 must not become F32.
    if unicodedata.decomposition(character).startswith(("<wide>", "<font>")):
        return unicodedata.normalize("NFKC", character)
    return character


def _is_emoji(character: str) -> bool:
    if character.isascii():
        return False
    return unicodedata.category(character) in ("So", "Sk", "Cf") or not _folded(character)


def _character_name(character: str) -> str:
    script, *_, name = unicodedata.name(character).split()
    return f"{script.capitalize()} letter {name.capitalize()}"
