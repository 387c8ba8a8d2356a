"""The optional parts of a ruleset: a rulebook to mail, and a runner of test cases."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.rules.ruleset import Ruleset, Scenarios
from referee.rules.views import View


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


def extras_of(ruleset: Ruleset[Any, Any]) -> Extras:
    """Return the extras of *ruleset*, which are empty if it has none."""
    extras: Extras = getattr(ruleset, "extras", Extras())
    return extras
