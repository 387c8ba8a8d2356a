"""The orders of A Fistful of Planets, one class for each form, and counts of ships."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from referee.rules.wording import counted, listed

StarNumber = int
Letter = str
"""A fleet's letter, A to Z."""


@dataclass(frozen=True, slots=True)
class Ships:
    """A number of ships of each type."""

    transports: int = 0
    scouts: int = 0
    cruisers: int = 0
    dreadnoughts: int = 0

    def __add__(self, other: "Ships") -> "Ships":
        """Return the ships of both."""
        return Ships(*(a + b for a, b in zip(self.counts(), other.counts(), strict=True)))

    def __sub__(self, other: "Ships") -> "Ships":
        """Return the ships without the others."""
        return Ships(*(a - b for a, b in zip(self.counts(), other.counts(), strict=True)))

    def __bool__(self) -> bool:
        """Return whether there are any ships."""
        return any(self.counts())

    def counts(self) -> tuple[int, int, int, int]:
        """Return the numbers of transports, scouts, cruisers and dreadnoughts."""
        return self.transports, self.scouts, self.cruisers, self.dreadnoughts

    def each(self) -> Iterator[tuple[str, int]]:
        """Return letter and number of each type present."""
        return ((t, n) for t, n in zip(TYPES, self.counts(), strict=True) if n)

    def covers(self, other: "Ships") -> bool:
        """Return whether there are at least as many of each type."""
        return all(a >= b for a, b in zip(self.counts(), other.counts(), strict=True))

    @property
    def warships(self) -> int:
        """Return the number of warships (rule 18)."""
        return self.scouts + self.cruisers + self.dreadnoughts

    def __str__(self) -> str:
        """Return the ships as orders write them: ``2S1C``."""
        return "".join(f"{number}{letter}" for letter, number in self.each())


TYPES: Final = "TSCD"
NAMES: Final = {"T": "transport", "S": "scout", "C": "cruiser", "D": "dreadnought"}


def in_words(ships: Ships) -> str:
    """Return ships in words: ``2 scouts and 1 cruiser``, or ``no ships``."""
    return listed((counted(n, NAMES[t]) for t, n in ships.each()), "no ships")


@dataclass(frozen=True, slots=True)
class Order:
    """Any order of a player."""


@dataclass(frozen=True, slots=True)
class ChooseHome(Order):
    """``H12``: choose star 12 as the homeworld (rule 3)."""

    star: StarNumber


@dataclass(frozen=True, slots=True)
class Land(Order):
    """``FAL``: land a transport of fleet A and found a colony (rule 6)."""

    fleet: Letter


@dataclass(frozen=True, slots=True)
class Transfer(Order):
    """``FAT2S1CFB``, ``FAT*FB``: give ships to a fleet at the same star; None for all (rule 7)."""

    fleet: Letter
    ships: Ships | None
    to: Letter


@dataclass(frozen=True, slots=True)
class Build(Order):
    """``W12B1C1TFA``: build ships at a star into a fleet there (rules 8, 9)."""

    star: StarNumber
    ships: Ships
    fleet: Letter


@dataclass(frozen=True, slots=True)
class Fortify(Order):
    """``W12F``: build this turn's half of a fortification (rule 8)."""

    star: StarNumber


@dataclass(frozen=True, slots=True)
class Grow(Order):
    """``W12G``: grow the colony by one (rule 8)."""

    star: StarNumber


@dataclass(frozen=True, slots=True)
class FleetOrder(Order):
    """An order to a fleet; each fleet has one per turn (rule 11)."""

    fleet: Letter


@dataclass(frozen=True, slots=True)
class Move(FleetOrder):
    """``FAW30``: move the fleet to a star (rule 13)."""

    to: StarNumber


@dataclass(frozen=True, slots=True)
class Defend(FleetOrder):
    """``FAD``: fight any enemy who comes (rule 14)."""


@dataclass(frozen=True, slots=True)
class Withdraw(FleetOrder):
    """``FAX30``: withdraw to a star if an enemy comes (rule 15)."""

    to: StarNumber


@dataclass(frozen=True, slots=True)
class Recon(FleetOrder):
    """``FAR12R14``: look at stars, with one scout for each (rule 16)."""

    stars: tuple[StarNumber, ...]


@dataclass(frozen=True, slots=True)
class Concede(Order):
    """``Q``: concede the game."""
