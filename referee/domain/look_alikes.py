"""Look-alikes: letters of other alphabets and forms that people take for Latin letters."""

import unicodedata
from typing import Final

_ALIKE: Final = str.maketrans(
    "АВЕКМНОРСТУХЅІЈԀԚԜӀаеорсухѕіјһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹαονιρυχγκϲıɑɡɩʏ",
    "ABEKMHOPCTYXSIJDQWIaeopcyxsijhdqwABEZHIKMNOPTYXCaovipuxykciagiy",
)
_ALPHABETS: Final = frozenset(
    ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")
)
"""The alphabets that have letters in common to the eye."""
_NOT_LATIN: Final = _ALPHABETS - {"LATIN"}
_DRAWN_ALIKE: Final = str.maketrans({"I": "l", "|": "l", "1": "l", "0": "o", "m": "rn", "5": "s"})
"""ASCII characters that many fonts draw alike: the confusables of Unicode (UTS 39), and 5 for S."""
_SMALL_CAPITAL: Final = "LATIN LETTER SMALL CAPITAL"


def looks_like(text: str) -> str:
    """Return the small Latin letters that *text* looks like; other characters stay.

    Accents, invisible characters and the width of blanks do not matter.
    """
    letters = unicodedata.normalize("NFKD", text)
    seen = "".join(c for c in letters if unicodedata.category(c) not in ("Mn", "Me", "Cf"))
    return " ".join(seen.translate(_ALIKE).casefold().split())


def name_seen(name: str) -> str:
    """Return a name as people remember it: hyphens, blanks and other marks make no difference."""
    return "".join(c for c in looks_like(name) if c.isalnum())


def look_alike(one: str, other: str) -> bool:
    """Return whether people could take two names for each other, also J0HN for JOHN."""
    return not _readings(one).isdisjoint(_readings(other))


def _readings(name: str) -> frozenset[str]:
    """Return the readings of a name, also in other capitals; never the empty text."""
    ways = (name, name.lower(), name.title())
    return frozenset(name_seen(way.translate(_DRAWN_ALIKE)) for way in ways) - {""}


def mixes_alphabets(text: str) -> bool:
    """Return whether *text* has letters of two alphabets that look alike."""
    return len(_alphabets(text)) > 1


def poses_as_latin(text: str) -> bool:
    """Return whether all letters of *text* look Latin, and some are not, or not in a usual form."""
    letters = [c for c in text if c.isalpha()]
    foreign = [c for c in letters if not c.isascii() and looks_like(c).isascii()]
    special = any(unicodedata.normalize("NFKC", c).isascii() for c in foreign)
    special = special or any(unicodedata.name(c, "").startswith(_SMALL_CAPITAL) for c in letters)
    return special or (
        not _NOT_LATIN.isdisjoint(_alphabets(text))
        and all(looks_like(c).isascii() for c in letters)
    )


def _alphabets(text: str) -> set[str]:
    names = {unicodedata.name(c, "").partition(" ")[0] for c in text if c.isalpha()}
    return names & _ALPHABETS
