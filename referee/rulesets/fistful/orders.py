"""The orders of A Fistful of Planets, one class for each form, and the ships they speak of."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from referee.rules.wording import counted, listed

StarNumber = int
Letter = str
"""A fleet's designation, A to Z."""


@dataclass(frozen=True, slots=True)
class Ships:
    """So many ships of each type."""

    transports: int = 0
    scouts: int = 0
    cruisers: int = 0
    dreadnoughts: int = 0

    def __add__(self, other: "Ships") -> "Ships":
        """Return the ships of both."""
        return Ships(*(a + b for a, b in zip(self.counts(), other.counts(), strict=True)))

    def __sub__(self, other: "Ships") -> "Ships":
        """Return what is left without the others."""
        return Ships(*(a - b for a, b in zip(self.counts(), other.counts(), strict=True)))

    def __bool__(self) -> bool:
        """Return whether there is any ship."""
        return any(self.counts())

    def counts(self) -> tuple[int, int, int, int]:
        """Return the numbers of transports, scouts, cruisers and dreadnoughts."""
        return self.transports, self.scouts, self.cruisers, self.dreadnoughts

    def each(self) -> Iterator[tuple[str, int]]:
        """Return letter and number of the types there are."""
        return ((t, n) for t, n in zip(TYPES, self.counts(), strict=True) if n)

    def covers(self, other: "Ships") -> bool:
        """Return whether there are at least so many of each type."""
        return all(a >= b for a, b in zip(self.counts(), other.counts(), strict=True))

    @property
    def warships(self) -> int:
        """Return the number of ships that fight (rule 18)."""
        return self.scouts + self.cruisers + self.dreadnoughts

    def __str__(self) -> str:
        """Write the ships as orders do: ``2S1C``."""
        return "".join(f"{number}{letter}" for letter, number in self.each())


TYPES: Final = "TSCD"
NAMES: Final = {"T": "transport", "S": "scout", "C": "cruiser", "D": "dreadnought"}


def in_words(ships: Ships) -> str:
    """Write ships out: ``2 scouts and 1 cruiser``; ``no ships`` for none."""
    return listed((counted(n, NAMES[t]) for t, n in ships.each()), "no ships")


@dataclass(frozen=True, slots=True)
class Order:
    """Any order of a player."""


@dataclass(frozen=True, slots=True)
class ChooseHome(Order):
    """``H12``: star 12 is to be the homeworld (rule 3)."""

    star: StarNumber


@dataclass(frozen=True, slots=True)
class Land(Order):
    """``FAL``: a transport of fleet A lands and founds a colony (rule 6)."""

    fleet: Letter


@dataclass(frozen=True, slots=True)
class Transfer(Order):
    """``FAT2S1CFB``, ``FAT*FB``: ships go to a fleet at the same star; None for all (rule 7)."""

    fleet: Letter
    ships: Ships | None
    to: Letter


@dataclass(frozen=True, slots=True)
class Build(Order):
    """``W12B1C1TFA``: a star builds ships into a fleet there (rules 8, 9)."""

    star: StarNumber
    ships: Ships
    fleet: Letter


@dataclass(frozen=True, slots=True)
class Fortify(Order):
    """``W12F``: this turn's half of a fortification (rule 8)."""

    star: StarNumber


@dataclass(frozen=True, slots=True)
class Grow(Order):
    """``W12G``: the colony grows by one (rule 8)."""

    star: StarNumber


@dataclass(frozen=True, slots=True)
class FleetOrder(Order):
    """What a fleet does this turn; each has one such order (rule 11)."""

    fleet: Letter


@dataclass(frozen=True, slots=True)
class Move(FleetOrder):
    """``FAW30``: the fleet moves to a star (rule 13)."""

    to: StarNumber


@dataclass(frozen=True, slots=True)
class Defend(FleetOrder):
    """``FAD``: the fleet fights whoever comes (rule 14)."""


@dataclass(frozen=True, slots=True)
class Withdraw(FleetOrder):
    """``FAX30``: the fleet goes to a star if an enemy comes (rule 15)."""

    to: StarNumber


@dataclass(frozen=True, slots=True)
class Recon(FleetOrder):
    """``FAR12R14``: the fleet's scouts look at stars, one each (rule 16)."""

    stars: tuple[StarNumber, ...]


@dataclass(frozen=True, slots=True)
class Concede(Order):
    """``Q``: the player gives up."""
