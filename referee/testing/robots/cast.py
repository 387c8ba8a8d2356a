"""The cast of a game for demonstrations: how the game is created, and who plays it.

A package provides it by the entry point ``referee.casts``, under the key of its ruleset.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from referee.testing.golden_games import GoldenGame
from referee.testing.robots import Robot


@dataclass(frozen=True, slots=True)
class Role:
    """One player of a game: the name in it, the robot that plays, and the wishes for JOIN."""

    name: str
    robot: Callable[[], Robot]
    wishes: str = ""
    """The words after the name in JOIN."""


@dataclass(frozen=True, slots=True)
class Cast:
    """A game to watch: the letter that creates it, its players, and when it has shown enough."""

    creation: str
    roles: tuple[Role, ...]
    turns: int
    """The number of turns to play, unless the game ends earlier."""
    typos: str = ""
    """Orders that cannot be read or carried out; a careless player adds them to good ones."""
    opening: int = 1
    """The number of turns that show every kind of phase."""
    ends: bool = True
    """Whether the rules end the game within these turns, as they should in a small game."""
    golden: Mapping[str, GoldenGame] = field(default_factory=dict)
    """The games that are kept as files, by their names."""
