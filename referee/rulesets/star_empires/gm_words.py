"""The words of a GM's line, read one after the other."""

import re
from collections.abc import Iterable
from typing import Final

from referee.rules.ruleset import UserError
from referee.rulesets.star_empires.names import LONGEST
from referee.rulesets.star_empires.sectors import Sector

_TOKEN: Final = re.compile(
    r"(?:\( *+)?-?[0-9]{1,6} *+, *+-?[0-9]{1,6}(?: *+\))?|-?[A-Za-z0-9_]+(?:/[A-Za-z0-9]+)?\*?|\S"
)
_NAME: Final = re.compile("[A-Za-z0-9_]+")
_DIGITS: Final = 5
"""The most digits of a number; more RU could build too many ships to process."""


def is_name(word: str) -> bool:
    """Return whether a word is a possible name."""
    return bool(_NAME.fullmatch(word)) and len(word) <= LONGEST


class Words:
    """The words of one line, read one after the other."""

    def __init__(self, line: str) -> None:
        self.line = line
        self._words = _TOKEN.findall(line.partition("#")[0])

    def __bool__(self) -> bool:
        """Return whether any words are left."""
        return bool(self._words)

    def word(self, what: str) -> str:
        """Read a word. Raises UserError if there is none; *what* names the missing part."""
        if not self._words:
            raise UserError(f"expected {what} at the end, but found nothing.")
        return str(self._words.pop(0))

    def name(self, what: str) -> str:
        """Read a name. Raises UserError if it has other characters than letters, digits and _."""
        word = self.word(what)
        if not is_name(word):
            raise UserError(
                f"{word} is not a valid name for {what}. "
                f"A name has 1 to {LONGEST} letters, digits and _."
            )
        return word

    def names(self, what: str) -> list[str]:
        """Read the rest as names, at least one."""
        names = [self.name(what)]
        while self:
            names.append(self.name(what))
        return names

    def number(self, what: str) -> int:
        """Read a number. Raises UserError if the word is not a number."""
        word = self.word(what)
        if not word.isdecimal() or len(word) > _DIGITS:
            raise UserError(f"expected a number from 0 to 99999 for {what}, but found {word}.")
        return int(word)

    def cycle(self) -> tuple[int, ...]:
        """Read the rest as whole numbers, at least one; they can be negative."""
        words = [self.word("the cycle")]
        while self:
            words.append(self.word("the cycle"))
        if not all(re.fullmatch(rf"-?[0-9]{{1,{_DIGITS}}}", word) for word in words):
            raise UserError("expected only numbers in the cycle, for example 0 1 -2.")
        return tuple(map(int, words))

    def sector(self) -> Sector:
        """Read a galactic coordinate. Raises UserError if the word is not a coordinate."""
        word = self.word("the coordinate")
        found = re.findall("-?[0-9]+", word)
        if len(found) != 2:
            raise UserError(f"expected a coordinate such as (3,-1), but found {word}.")
        return int(found[0]), int(found[1])

    def one_of(self, words: Iterable[str]) -> str:
        """Read one of these words, in lower case. Raises UserError for any other word."""
        choices = sorted(words)
        word = self.word(" or ".join(choices)).lower()
        if word not in choices:
            raise UserError(f"expected {' or '.join(choices)}, but found {word}.")
        return word

    def before(self, *stops: str) -> list[str]:
        """Read the names up to one of the words *stops*, and that word too."""
        names: list[str] = []
        while True:
            word = self.word(" or ".join(stops))
            if word.upper() in stops:
                return names
            names.append(word)

    def end(self) -> None:
        """Raise UserError if any words are left."""
        if self:
            raise UserError(f"unexpected text at the end: {' '.join(self._words)}")
