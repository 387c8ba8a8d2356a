"""What a demonstration needs to know of a game: how it is created, and who plays it.

A package brings it by the entry point ``referee.casts``, under the key of its ruleset.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from referee.testing.golden_games import GoldenGame
from referee.testing.robots import Robot


@dataclass(frozen=True, slots=True)
class Role:
    """One player of a game: his name in it, the robot that plays him, and what he wishes."""

    name: str
    robot: Callable[[], Robot]
    wishes: str = ""
    """What his JOIN says behind his name."""


@dataclass(frozen=True, slots=True)
class Cast:
    """A game to watch: the letter that creates it, its players, and when one has seen enough."""

    creation: str
    roles: tuple[Role, ...]
    turns: int
    """After so many turns it is left, if it has not ended by itself."""
    slips: str = ""
    """Orders that cannot be read or carried out; a careless player adds them to his own."""
    opening: int = 1
    """So many turns show every kind of phase."""
    ends: bool = True
    """Whether the rules end the game within these turns, as they should in a small game."""
    golden: Mapping[str, GoldenGame] = field(default_factory=dict)
    """The games that are kept whole, by their names."""
