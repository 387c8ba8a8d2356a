"""Closing words: "Regards" and the sender's own name below an email, which say nothing else."""

from collections.abc import Sequence
from typing import Final

from referee.parsing.everyday import words_of

_CLOSINGS: Final = frozenset(
    """best all the many kind warm with my and regards wishes cheers thanks thank you yours
    sincerely bye
    mit freundlichen viele liebe schöne herzliche beste und grüße grüßen gruß gruss gruesse danke
    vielen dank lg vg mfg bis bald
    cordialement amicalement bien à vous amitiés merci bonne journée salutations
    un saludo saludos cordiales atentamente gracias muchas
    saluti cordiali ciao grazie distinti un
    pozdrawiam pozdrowienia serdecznie dzięki dziękuję
    met vriendelijke groet groeten groetjes bedankt""".casefold().split()
)
"""The words of closings in the languages of players. None of them takes anything back."""
_MOST_LINES: Final = 3


def are_closing(lines: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether all of the last *lines* of an email are closing words or one of *names*.

    A part of a name is enough: people sign with their first name, or with its first letter.
    """
    return _are_closing(lines, names)


def is_signed(lines: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether the last of *lines* is a name: one of *names*, or one below closing words."""
    *before, last = lines
    words = words_of(last)
    if not 0 < len(words) <= _MOST_LINES or not last.replace(" ", "").strip("-.,").isalpha():
        return False
    return _are_closing([last], names) or _are_closing(before[-1:], names)


def _are_closing(lines: Sequence[str], names: Sequence[str]) -> bool:
    if not 0 < len(lines) <= _MOST_LINES:
        return False
    own = {word.casefold() for name in names for word in words_of(name)}
    known = _CLOSINGS | own | {word[0] for word in own}
    typed = [[word.casefold() for word in words_of(line)] for line in lines]
    return all(words and known.issuperset(words) for words in typed)
