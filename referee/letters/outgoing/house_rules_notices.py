"""Letters about the house rules."""

from dataclasses import dataclass

from referee.letters.outgoing.house_rules import HouseRulesText
from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class HouseRules(Notice):
    """The house rules of a game, on request."""

    rules: HouseRulesText


@dataclass(frozen=True, slots=True)
class HouseRulesChanged(Notice):
    """To the players: the house rules have a new version.

    *changed* has pairs of lines, before and now. *gone* are lines without a successor, and *new*
    are lines without a predecessor. *started* means that the game had begun, so that the change
    marks it.
    """

    game: str
    version: int
    started: bool
    changed: tuple[tuple[str, str], ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]
