"""The riches of a new galaxy, and how evenly they surround the home worlds (s2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.dice import Dice

NEAR: Final = 3
"""The number of jumps from home that are its surroundings."""
MOST_PERCENT: Final = 15
"""The most that the best surroundings can have over the worst."""
_ENOUGH_PERCENT: Final = 5
_MOST_SWAPS: Final = 3000
_OFTEN: Final = (6, 12, 22, 24, 18, 9, 5, 3, 1)
_MINES: Final = tuple(mines for mines, often in enumerate(_OFTEN) for _ in range(often))
"""The mines of a hundred worlds."""


@dataclass(frozen=True, slots=True)
class Riches:
    """The riches of the places of a galaxy. Homes and black holes have none."""

    mines: list[int]
    limit: list[int]
    industry: list[int]

    def kinds(self) -> tuple[list[int], ...]:
        """Return the three kinds of riches."""
        return self.mines, self.limit, self.industry


@dataclass(frozen=True, slots=True)
class Spread:
    """The least and the most of one kind of riches in the surroundings of a home world."""

    kind: str
    least: int
    most: int

    def within(self, percent: int) -> bool:
        """Return whether the richest have at most this much more than the poorest."""
        return 100 * (self.most - self.least) <= percent * self.least

    def __str__(self) -> str:
        """Return ``mines 61 to 66 (8.1 %)``."""
        thousandths = 1000 * (self.most - self.least) // max(self.least, 1)
        return f"{self.kind} {self.least} to {self.most} ({thousandths // 10}.{thousandths % 10} %)"


def strew(count: int, barren: frozenset[int], dice: Dice) -> Riches:
    """Draw the riches of *count* places, none for the *barren*."""
    riches = Riches([0] * count, [0] * count, [0] * count)
    for place in range(count):
        if place not in barren:
            riches.mines[place] = dice.pick(_MINES)
            riches.limit[place] = 25 + dice.below(50) + dice.below(50)
            if dice.chance(1, 2):
                riches.limit[place] += dice.below(68)
            if dice.chance(2, 5):
                riches.industry[place] = 2 if dice.chance(1, 6) else 1
    return riches


def spreads(riches: Riches, surroundings: Sequence[frozenset[int]]) -> tuple[Spread, ...]:
    """Return the spread of each kind of riches over the surroundings of the homes."""
    names = ("mines", "population limit", "industry")
    sums = [
        [sum(kind[place] for place in near) for near in surroundings] for kind in riches.kinds()
    ]
    return tuple(Spread(name, min(s), max(s)) for name, s in zip(names, sums, strict=True))


def even_out(
    riches: Riches,
    surroundings: Sequence[frozenset[int]],
    barren: frozenset[int],
    dice: Dice,
) -> tuple[Spread, ...]:
    """Swap riches between places until the surroundings of the homes have nearly the same.

    Swaps keep the total riches. They stop after a fixed number, even if the result is uneven.
    """
    places = [place for place in range(len(riches.mines)) if place not in barren]
    homes_near = [
        frozenset(home for home, near in enumerate(surroundings) if place in near)
        for place in range(len(riches.mines))
    ]
    for kind in riches.kinds():
        _even_out_kind(kind, surroundings, homes_near, places, dice)
    return spreads(riches, surroundings)


def _even_out_kind(
    kind: list[int],
    surroundings: Sequence[frozenset[int]],
    homes_near: list[frozenset[int]],
    places: list[int],
    dice: Dice,
) -> None:
    sums = [sum(kind[place] for place in near) for near in surroundings]
    for _ in range(_MOST_SWAPS):
        if Spread("", min(sums), max(sums)).within(_ENOUGH_PERCENT):
            return
        one, other = dice.pick(places), dice.pick(places)
        more = kind[other] - kind[one]
        changed = list(sums)
        for home in homes_near[one] - homes_near[other]:
            changed[home] += more
        for home in homes_near[other] - homes_near[one]:
            changed[home] -= more
        if _unevenness(changed) < _unevenness(sums):
            kind[one], kind[other] = kind[other], kind[one]
            sums = changed


def _unevenness(sums: list[int]) -> int:
    """Return the variance of the sums, times a constant."""
    return len(sums) * sum(s * s for s in sums) - sum(sums) ** 2
