"""The golden games of a ruleset: how each begins and who plays it, to compare or replace it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import referee
from referee.resources import located
from referee.rules.ruleset import Ruleset
from referee.testing import golden
from referee.testing.golden import Beginning, Played, Writer
from referee.testing.probe import Noting, RulesProbe
from referee.testing.robots import Robot


@dataclass(frozen=True, slots=True)
class GoldenGame:
    """A whole game that is kept as files, and whose result must not change."""

    folder: str
    """Its folder, as ``package:path``; without a package, next to the package ``referee``."""
    beginning: Beginning
    turns: int
    """The number of turns to play, unless the game ends earlier."""
    robots: Callable[[], Writer] | None = None
    """Returns the writer that plays it again; without it, only the kept order sheets are used."""
    followed: frozenset[str] = frozenset()
    """The seats whose reports of all turns are kept, not only the last; empty means all seats."""

    @property
    def place(self) -> Path:
        """The folder. Raises ImportError if its package is missing."""
        return located(self.folder, Path(referee.__file__).parent.parent)


def robots(players: Mapping[str, Callable[[], Robot]]) -> Callable[[], Writer]:
    """Return a function that makes new robots for a game, by the names of their seats."""

    def begin() -> Writer:
        playing = {name: robot() for name, robot in players.items()}
        return lambda _turn, name, report: playing[name].sheet(report)

    return begin


def replayed(rules: Ruleset[Any, Any], game: GoldenGame) -> tuple[Played, ...]:
    """Return the turns of *game* when its kept order sheets are played.

    Raises the same as ``golden.play`` and ``golden.stored_sheets``, and RulesHung if a function of
    the ruleset hangs.
    """
    sheets = golden.stored_sheets(game.place)
    return tuple(golden.play(_probe(rules), game.beginning, sheets, game.turns))


def replayed_anew(
    rules: Ruleset[Any, Any], game: GoldenGame, turns: int | None = None
) -> tuple[Played, ...]:
    """Return *game* as its robots play it now, or its kept order sheets if it has no robots.

    With *turns* it ends after that many turns. Raises the same as ``replayed``.
    """
    if game.robots is None:
        return replayed(rules, game)
    write = _reporting(game.robots(), rules)
    return tuple(golden.play(_probe(rules), game.beginning, write, turns or game.turns))


def _probe(rules: Ruleset[Any, Any]) -> Any:
    return RulesProbe(rules)


def _reporting(write: Writer, rules: Ruleset[Any, Any]) -> Writer:
    """Return the writer, with a note on exceptions that it raises."""

    def reporting(turn: int, name: str, report: str) -> str:
        with Noting(f"the robot of {name}", rules):
            return write(turn, name, report)

    return reporting


def files(game: GoldenGame, played: tuple[Played, ...]) -> dict[str, str]:
    """Return the files of a game that was *played*, by the paths in its folder."""
    if not game.followed:
        return golden.files(played)
    *turns, last = played
    return golden.files([*(_followed(game, turn) for turn in turns), last])


def _followed(game: GoldenGame, turn: Played) -> Played:
    reports = {name: text for name, text in turn.reports.items() if name in game.followed}
    return replace(turn, reports=reports)


def differences(rules: Ruleset[Any, Any], game: GoldenGame) -> list[str]:
    """Return the paths of the files in which *game* now differs from what is kept."""
    now, kept = files(game, replayed(rules, game)), golden.kept(game.place)
    return sorted(path for path in now.keys() | kept.keys() if now.get(path) != kept.get(path))


def rewrite(rules: Ruleset[Any, Any], game: GoldenGame) -> tuple[Played, ...]:
    """Play *game* again, keep the result, and return its turns; check the differences then."""
    played = replayed_anew(rules, game)
    golden.keep(game.place, files(game, played))
    return played
