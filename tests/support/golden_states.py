"""The states of golden games, resolved from their kept order sheets."""

from functools import cache
from importlib import import_module
from typing import Any, Final

from referee.rules.ruleset import Ruleset, Seat
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
    """Return the states of a golden game before each turn, and the last one.

    No reports are composed, which would take more time than the turns.
    """
    rules: Any = _WithoutReports(ruleset(key))
    return tuple(turn.state for turn in replayed(rules, games(key)[name]))


class _WithoutReports:
    """A ruleset whose views are empty."""

    def __init__(self, rules: Ruleset[Any, Any]) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def view(self, _state: Any, _seat: Seat, _deadline: str) -> tuple[()]:
        return ()
