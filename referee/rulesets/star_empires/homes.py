"""The sectors of the homeworlds and the codes of the empires (RULES 2.0, 3.0, 4.4).

Both are drawn, so that they tell an empire nothing about those that it has not met.
"""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Final

from referee.rules.dice import Dice
from referee.rulesets.star_empires.sectors import Sector, distance, ring

_APART: Final = 3
"""The distance of neighbouring homes at which no starbase scans the other home."""
_FARTHEST: Final = 2
"""The most sectors by which a home is moved along the rim."""
_UNEVEN: Final = 2
"""The most by which the distances between neighbouring homes differ."""


def drawn_homes(seats: int, radius: int, dice: Dice) -> list[Sector]:
    """Return a sector on the rim for each seat; neighbours are almost equally far apart.

    The places go around the rim from a random sector. Each is moved along it a little, if there is
    room, because equal distances would tell everyone where all the others are.
    """
    rim = ring(radius)
    start = dice.below(len(rim))
    evenly = [start + number * len(rim) // seats for number in range(seats)]
    shift = min(_FARTHEST, max(0, len(rim) // seats - _APART))
    while True:
        places = [place + dice.below(shift + 1) for place in evenly]
        homes = [rim[place % len(rim)] for place in places]
        if _are_fair(homes):
            return dice.shuffled(homes)


def _are_fair(homes: Sequence[Sector]) -> bool:
    gaps = [distance(one, other) for one, other in zip(homes, (*homes[1:], homes[0]), strict=True)]
    return max(gaps) - min(gaps) <= _UNEVEN


def drawn_codes(names: Sequence[str], dice: Dice) -> list[str]:
    """Return two letters for each empire, the first from its name; no two codes are equal."""
    codes: list[str] = []
    for name in names:
        every = [_initial(name) + second for second in ascii_uppercase]
        codes.append(dice.pick([code for code in every if code not in codes]))
    return codes


def _initial(name: str) -> str:
    return next((each for each in name.upper() if each in ascii_uppercase), "X")


def even_homes(seats: int, radius: int) -> list[Sector]:
    """Return the homes of the first edition: always the same sectors, in the order of the seats."""
    rim = ring(radius)
    return [rim[number * (len(rim) // seats)] for number in range(seats)]


def codes_of(names: Sequence[str]) -> list[str]:
    """Return the codes of the first edition: two letters of each name, if they are free."""
    codes: list[str] = []
    for name in names:
        letters = [each for each in name.upper() if each.isalpha()] or ["X"]
        wishes = (letters[0] + second for second in [*letters[1:], *ascii_uppercase])
        others = (first + second for first in ascii_uppercase for second in ascii_uppercase)
        codes.append(next(code for code in (*wishes, *others) if code not in codes))
    return codes
