"""The skills of a robot in each of its three strengths."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.rules.extras import Strength


@dataclass(frozen=True, slots=True)
class Skills:
    """The abilities of a robot; the worth of things is compared to that of a usual world."""

    step: int
    """The most gates that a key passes in a turn."""
    metal: float = 0.0
    """The worth of a metal at an industry; at 0, no metal is carried."""
    share: int = 12
    """The ships on a key that are enough to share them with empty keys."""
    reserve: int = 0
    """The I-Ships that stay where they were built."""
    storms: bool = False
    """Whether it fires at home fleets, and takes the fleets of others as a Pirate."""
    prey: float = 0.0
    """The worth of another player's world, compared to a neutral one."""
    invests: float = 0.0
    """The share of the industry that an Empire Builder uses to build industry."""
    powers: bool = False
    """Whether it does everything for the points of its character."""


SKILLS: Final[Mapping[Strength, Skills]] = {
    Strength.EASY: Skills(step=1),
    Strength.NORMAL: Skills(
        step=3, metal=0.05, share=6, reserve=4, storms=True, prey=0.7, invests=0.5
    ),
    Strength.HARD: Skills(
        step=3, metal=0.3, share=2, reserve=2, storms=True, prey=1.4, invests=0.75, powers=True
    ),
}
