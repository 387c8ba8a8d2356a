"""Resource cards: numbers of each resource, as hands and costs (rules 5, 26, G1)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from referee.rules.ruleset import UserError
from referee.rules.wording import listed

LETTERS: Final = "FCGOU"
"""The letters of the resources. Each has a kind of planet (G6)."""
NAMES: Final = {"F": "food", "C": "carbon", "G": "goods", "O": "ore", "U": "fuel"}


@dataclass(frozen=True, slots=True)
class Goods:
    """A number of cards of each resource."""

    food: int = 0
    carbon: int = 0
    goods: int = 0
    ore: int = 0
    fuel: int = 0

    def counts(self) -> tuple[int, int, int, int, int]:
        """Return the numbers in the order of the letters F, C, G, O, U."""
        return self.food, self.carbon, self.goods, self.ore, self.fuel

    def of(self, letter: str) -> int:
        """Return the number of one resource."""
        return self.counts()[LETTERS.index(letter)]

    def each(self) -> Iterator[tuple[str, int]]:
        """Return letter and number of each resource that is not 0."""
        return ((a, n) for a, n in zip(LETTERS, self.counts(), strict=True) if n)

    def __add__(self, other: "Goods") -> "Goods":
        """Return the cards of both."""
        return Goods(*(a + b for a, b in zip(self.counts(), other.counts(), strict=True)))

    def __sub__(self, other: "Goods") -> "Goods":
        """Return the cards that are left without the others."""
        return Goods(*(a - b for a, b in zip(self.counts(), other.counts(), strict=True)))

    def __mul__(self, times: int) -> "Goods":
        """Return the cards multiplied by a number."""
        return Goods(*(number * times for number in self.counts()))

    def covers(self, other: "Goods") -> bool:
        """Return whether there are at least as many of each resource."""
        return all(a >= b for a, b in zip(self.counts(), other.counts(), strict=True))

    @property
    def total(self) -> int:
        """The total number of cards."""
        return sum(self.counts())

    def __str__(self) -> str:
        """Return the cards as orders write them: ``2O1U``."""
        return "".join(f"{number}{letter}" for letter, number in self.each()) or "nothing"


def of(letter: str, number: int = 1) -> Goods:
    """Return a number of cards of one resource."""
    return Goods(*(number if each == letter else 0 for each in LETTERS))


def goods_of(text: str) -> Goods:
    """Return the cards for a text such as ``2O1U``. Raises UserError if it is invalid."""
    if not re.fullmatch("(?:[0-9]{1,3}[FCGOU])*", text):
        raise UserError(
            f"Expected numbers and letters of {LETTERS}, such as 2O1U, but found {text!r}."
        )
    total = Goods()
    for number, letter in re.findall("([0-9]{1,3})([FCGOU])", text):
        total += of(letter, int(number))
    return total


def in_words(cards: Goods) -> str:
    """Return cards in words: ``2 ore and 1 fuel``."""
    return listed((f"{number} {NAMES[letter]}" for letter, number in cards.each()), "nothing")
