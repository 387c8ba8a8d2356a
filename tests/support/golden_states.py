"""The states of golden games, resolved from their kept order sheets."""

from functools import cache
from importlib import import_module
from typing import Any, Final

from referee.rules.ruleset import Ruleset
from referee.testing.golden import Played
from referee.testing.golden_games import GoldenGame, replayed

KEYS: Final = ("starweb", "fistful", "singularity", "star_empires", "starfarers")


def ruleset(key: str) -> Ruleset[Any, Any]:
    """Return a ruleset of ours."""
    rules: Ruleset[Any, Any] = import_module(f"referee.rulesets.{key}").RULESET
    return rules


def games(key: str) -> dict[str, GoldenGame]:
    """Return the golden games of a ruleset by their names."""
    return dict(import_module(f"referee.testing.casts.{key}").CAST.golden)


@cache
def turns(key: str, name: str) -> tuple[Played, ...]:
    """Return the turns of a golden game, with the events that their reports tell."""
    return tuple(replayed(ruleset(key), games(key)[name]))


@cache
def states(key: str, name: str) -> tuple[Any, ...]:
    """Return the states of a golden game before each turn, and the last one."""
    return tuple(turn.state for turn in turns(key, name))
