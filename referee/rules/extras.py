"""The optional parts of a ruleset: a rulebook, test cases, a robot, a tutorial, the true map."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from referee.rules.dice import Dice
from referee.rules.order_forms import OrderForm
from referee.rules.ruleset import Ruleset, Scenarios, Seat
from referee.rules.views import Chart, View


class Strength(Enum):
    """How well a robot plays; hard robots win most games against normal ones."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


Robot = Callable[[Any, Seat, Strength, Dice], Sequence[Any]]
"""A robot: return the orders of *seat* in *state*, from what the seat can know, as ``guide``.

It is pure, has no memory but the state, and sends only orders that ``validate`` does not reject.
"""


@dataclass(frozen=True, slots=True)
class Steward:
    """The player of seats that are abandoned: their players have missed many turns in a row."""

    after: Callable[[Any], int]
    """Returns after how many missed turns in a row it plays the seats of a state; 0 is never."""
    orders: Callable[[Any, Seat, int], Sequence[Any]]
    """Returns the orders of a seat from what the seat can know; it has played it so many turns."""


class Colour(Enum):
    """A colour that a game gives a seat; its value is the word that players read."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    VIOLET = "violet"
    WHITE = "white"


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a game, which its curve shows after the end; *unit* names them: ``points``."""

    unit: str
    of: Callable[[Any], Mapping[Seat, int]]
    """Returns the score of every seat in a state."""


@dataclass(frozen=True, slots=True)
class Extras:
    """The optional parts of a game, which are the attribute ``extras`` of its ruleset."""

    rulebook: str = ""
    """A Markdown file, as ``package:path``; HELP and the title of the game mail it by chapters.

    Without a package it is one of the referee's own, in ``docs/rulesets/``.
    """
    scenarios: Scenarios | None = None
    """The runner of the test cases that are written for this game."""
    standing: Callable[[Any], View] | None = None
    """The final standing, with names, of a state in which the GM or a vote ends the game.

    Without it, everybody gets the view of an observer.
    """
    truth: Callable[[Any], Chart] | None = None
    """The whole map as it truly is, of nobody: it has no ``owners``. Players see it after the end.

    A GM who does not play sees it at any time.
    """
    public: Callable[[Any], Chart | None] | None = None
    """The map of what observers see in a state, of nobody as ``truth``; None while it is secret."""
    scores: Scores | None = None
    """The scores of all seats; without them, the pages of a game show no curve."""
    colours: Callable[[Any], Mapping[Seat, Colour]] | None = None
    """The colours that a game gives its seats, for all pictures; the others get one that is free.

    They are the same in every state of a game, and everybody may know them.
    """
    robot: Robot | None = None
    """The robot that can play any seat; without it, the game has no robots."""
    steward: Steward | None = None
    """The steward of abandoned seats; without it, a seat that sends nothing gets ``defaults``."""
    tutorial: str = ""
    """A TOML file, as ``package:path``, with the lessons of a game that PLAY TUTORIAL starts."""
    in_turn: bool = False
    """Whether the players act in the sequence of their seats, or things are numbered by it.

    In all other games that sequence must decide nothing.
    """
    order_forms: tuple[OrderForm, ...] = ()
    """The orders that a player can compose by pointing at the map of an atlas."""


def extras_of(ruleset: Ruleset[Any, Any]) -> Extras:
    """Return the extras of *ruleset*, which are empty if it has none."""
    extras: Extras = getattr(ruleset, "extras", Extras())
    return extras
