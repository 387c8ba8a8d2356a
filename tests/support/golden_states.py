"""The states of golden games, resolved from their kept order sheets."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Ruleset
from referee.testing.golden import stored_sheets
from referee.testing.golden_games import GoldenGame
from referee.testing.scenarios import OrderReading

KEYS: Final = ("starweb", "fistful", "singularity", "star_empires", "starfarers")


def ruleset(key: str) -> Ruleset[Any, Any]:
    """Return a ruleset of ours."""
    rules: Ruleset[Any, Any] = import_module(f"referee.rulesets.{key}").RULESET
    return rules


def games(key: str) -> dict[str, GoldenGame]:
    """Return the golden games of a ruleset by their names."""
    return dict(import_module(f"referee.testing.robots.{key}").CAST.golden)


@cache
def states(key: str, name: str) -> tuple[Any, ...]:
    """Return the states of a golden game before each turn, and the last one."""
    return tuple(_states(ruleset(key), games(key)[name]))


def _states(rules: Ruleset[Any, Any], game: GoldenGame) -> Iterator[Any]:
    write, read, dice = stored_sheets(game.place), OrderReading(), Dice(game.beginning.seed)
    state = rules.setup(game.beginning.seats, game.beginning.options, dice)
    for turn in range(1, game.turns + 1):
        yield state
        if rules.verdict(state) is not None:
            return
        phase = rules.phase(state)
        texts = {seat.seat: write(turn, seat.name, "") for seat in game.beginning.seats}
        grammar = rules.grammar(phase)
        orders = {seat: read(grammar, text) for seat, text in texts.items() if text}
        missed = phase.awaiting - orders.keys()
        silent = {seat: rules.defaults(state, seat, ()) for seat in sorted(missed)}
        state = rules.resolve(state, {**orders, **silent}, missed, dice).state
    yield state
