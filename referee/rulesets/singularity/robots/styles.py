"""The three strengths of the robot, as the numbers by which they differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.rules.extras import Strength


@dataclass(frozen=True, slots=True)
class Style:
    """A way to play."""

    settlers: str
    """The types of ships that take planets without armed enemies, the best first."""
    fighters: str
    """The types of ships that attack and guard, the best first."""
    ships: int
    """The most ships that a robot builds in a turn."""
    terraformers: int
    """The number of planets for each terraformer; 0 for no terraformers."""
    odds: int
    """The weapons that an attack needs, in percent of those seen there."""
    gathers: bool
    """Whether several ships attack a planet together, or wait for others near it."""
    repairs: bool
    """Whether all damage is repaired, not only that of dark ships."""
    scraps: bool
    """Whether dark ships under stronger enemies are scrapped."""


STYLES: Final[Mapping[Strength, Style]] = {
    Strength.EASY: Style("F", "F", 1, 0, 100, gathers=False, repairs=False, scraps=False),
    Strength.NORMAL: Style("R", "RF", 9, 9, 100, gathers=False, repairs=True, scraps=False),
    Strength.HARD: Style("R", "CRF", 99, 6, 200, gathers=True, repairs=True, scraps=True),
}
