"""The cast of a game for demonstrations: how the game is created, and who plays it.

A package provides it by the entry point ``referee.casts``, under the key of its ruleset.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.rules.extras import Strength
from referee.rules.ruleset import Seat, SignUp
from referee.testing.golden_games import GoldenGame


@dataclass(frozen=True, slots=True)
class Role:
    """One player of a game, played by the robot of its ruleset."""

    name: str
    wishes: str = ""
    """The words after the name in JOIN."""
    strength: Strength = Strength.NORMAL


@dataclass(frozen=True, slots=True)
class Contest:
    """A small game in which the ruleset's robots of two strengths play against each other."""

    lineups: tuple[tuple[SignUp, ...], ...]
    """The players of a game; two games have the first line-up, the next two the second."""
    turns: int
    """The number of turns, or phases, after which a game that goes on is decided by the score."""
    options: Mapping[str, int | str | bool] = field(default_factory=dict)
    score: Callable[[Any, Seat], float] | None = None
    """Returns the score of a seat in a state; without it, a game that goes on is a tie."""


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
    contest: Contest | None = None
    """The game of tournaments; without it, there are none."""
