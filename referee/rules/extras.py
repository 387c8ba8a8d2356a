"""What a ruleset may bring beside its functions: a rulebook to mail, and a runner of test cases."""

from dataclasses import dataclass
from typing import Any

from referee.rules.ruleset import Ruleset, Scenarios


@dataclass(frozen=True, slots=True)
class Extras:
    """The optional parts of a game; a ruleset has them as its attribute ``extras``."""

    rulebook: str = ""
    """A Markdown file, as ``package:path``; HELP and the title of the game mail it by chapters.

    Without a package it is one of the referee's own, in ``docs/rulesets/``.
    """
    scenarios: Scenarios | None = None
    """What runs the test cases that are written for this game."""


def extras_of(ruleset: Ruleset[Any, Any]) -> Extras:
    """Return the extras of *ruleset*, empty ones if it has none."""
    extras: Extras = getattr(ruleset, "extras", Extras())
    return extras
