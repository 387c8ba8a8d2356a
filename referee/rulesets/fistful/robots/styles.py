"""The three strengths of the robot, as the numbers by which they differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.rules.extras import Strength


@dataclass(frozen=True, slots=True)
class Style:
    """A way to play."""

    transports: int
    """The most transports under way at a time."""
    grown: int
    """The size to which colonies grow before they build ships or fortifications."""
    guard: int
    """The strength that stays at the homeworld, in tenths of production points."""
    odds: int
    """The strength that an attack needs, in percent of the strength expected there."""
    least: int
    """The strength below which a fleet does not attack a defended star."""
    raids: bool
    """Whether only one ship, not a whole fleet, goes to an enemy colony without fleets."""
    gathers: bool
    """Whether the fleets gather, and attack the enemy's homeworld together."""
    looks: bool
    """Whether fleets that stay look at the enemy's stars."""
    fortifies: bool
    """Whether the homeworld is fortified when the enemy is near."""


STYLES: Final[Mapping[Strength, Style]] = {
    Strength.EASY: Style(
        transports=1,
        grown=2,
        guard=60,
        odds=200,
        least=150,
        raids=False,
        gathers=False,
        looks=False,
        fortifies=False,
    ),
    Strength.NORMAL: Style(
        transports=3,
        grown=3,
        guard=60,
        odds=150,
        least=80,
        raids=False,
        gathers=False,
        looks=True,
        fortifies=True,
    ),
    Strength.HARD: Style(
        transports=12,
        grown=5,
        guard=20,
        odds=130,
        least=0,
        raids=True,
        gathers=True,
        looks=True,
        fortifies=True,
    ),
}
