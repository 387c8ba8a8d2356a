"""The golden games of a ruleset: how each begins and where it is kept, to compare or replace it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import referee
from referee.fresh_file import fresh_file
from referee.resources import located
from referee.rules.dice import Dice
from referee.rules.extras import Strength
from referee.rules.robots import robot_orders
from referee.rules.ruleset import Ruleset
from referee.testing import golden
from referee.testing.golden import Asked, Beginning, Played, Writer


@dataclass(frozen=True, slots=True)
class GoldenGame:
    """A whole game that is kept as a file, and whose result must not change."""

    file: str
    """Its file, as ``package:path``; without a package, next to the package ``referee``."""
    beginning: Beginning
    turns: int
    """The number of turns to play, unless the game ends earlier."""
    followed: frozenset[str] = frozenset()
    """The seats whose reports are kept as text; empty means all seats."""

    @property
    def place(self) -> Path:
        """The path of the file. Raises ImportError if its package is missing."""
        return located(self.file, Path(referee.__file__).parent.parent)


def replayed(rules: Ruleset[Any, Any], game: GoldenGame) -> Iterator[Played]:
    """Yield the turns of *game* when its kept order sheets are played.

    Raises the same as ``golden.play``, and OSError if it has no file.
    """
    write = golden.repeating(_kept(game), game.beginning)
    return golden.play(rules, game.beginning, write, game.turns)


def robots(rules: Ruleset[Any, Any], beginning: Beginning) -> Writer:
    """Return the writer of the ruleset's own robots, which have all strengths in turn."""
    names = (signup.name for signup in beginning.seats)
    strengths = dict(zip(names, cycle(Strength), strict=False))

    def write(asked: Asked) -> str:
        if asked.seat not in rules.phase(asked.state).awaiting:
            return ""
        strength = strengths[asked.name]
        dice = Dice(beginning.seed).at("robot", asked.turn)
        orders = robot_orders(rules, asked.state, asked.seat, strength, dice)
        return "\n".join(map(rules.render, orders)) + "\n"

    return write


def differences(game: GoldenGame, played: Sequence[Played]) -> list[str]:
    """Return the headings of the parts in which *game*, as *played*, differs from its file."""
    return golden.differences(_contents(game, played), _kept(game))


def rewrite(rules: Ruleset[Any, Any], game: GoldenGame) -> tuple[Played, ...]:
    """Play *game* again, keep the result, and return its turns; check the differences then.

    Its kept order sheets are played, or those of robots if it has no file.
    """
    anew = not game.place.exists()
    write = robots(rules, game.beginning) if anew else golden.repeating(_kept(game), game.beginning)
    played = tuple(golden.play(rules, game.beginning, write, game.turns))
    game.place.parent.mkdir(parents=True, exist_ok=True)
    with fresh_file(game.place) as file:
        file.write(_contents(game, played).encode())
    return played


def _kept(game: GoldenGame) -> str:
    return game.place.read_text(encoding="utf-8")


def _contents(game: GoldenGame, played: Sequence[Played]) -> str:
    names = frozenset(signup.name for signup in game.beginning.seats)
    return golden.contents(played, game.followed or names)
