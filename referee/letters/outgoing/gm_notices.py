"""Letters to a GM about their games: after each turn, and before a deadline."""

from dataclasses import dataclass

from referee.letters.outgoing.local_time import Deadline, Moment
from referee.letters.outgoing.notices import Notice
from referee.letters.outgoing.pairs import Drawn
from referee.rules.ruleset import Event


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """The line about a seat, and for a GM who does not play the heaviest of its news."""

    line: str
    news: str = ""


@dataclass(frozen=True, slots=True)
class TurnSummary(Notice):
    """To a GM: how a turn was resolved, who sent orders, and what they can do now."""

    game: str
    turn: int
    resolved: Moment
    why: str
    """Why the turn was resolved then, as the end of a sentence."""
    missed: tuple[str, ...]
    """The names of the seats that missed the turn."""
    seats: tuple[SeatSummary, ...]
    news: tuple[Event, ...]
    """The news for everybody."""
    announced: tuple[str, ...]
    waiting: tuple[str, ...]
    """Late orders and emails that wait for the GM."""
    actions: tuple[str, ...]
    deadline: Deadline | None


@dataclass(frozen=True, slots=True)
class KeptSummary:
    """The words of a turn summary; of several in one letter, the *text* has no reply marker."""

    game: str
    subject: str
    text: Drawn


@dataclass(frozen=True, slots=True)
class TurnSummaries(Notice):
    """To a GM: the summaries of turns that ended together, one or more."""

    summaries: tuple[KeptSummary, ...]


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """A game in which orders are missing, and what its GM can do."""

    game: str
    turn: int
    left: str
    deadline: Moment
    missing: tuple[str, ...]
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrdersMissing(Notice):
    """To a GM, before a deadline: who has not sent orders, in one game or in several.

    *untagged* means that the tag of its subject names no game.
    """

    games: tuple[WatchedGame, ...]
    untagged: bool


@dataclass(frozen=True, slots=True)
class BounceWarning(Notice):
    """To the GM, once: letters to a player bounce, or are reported as spam.

    *goes_on* means that they go to the player's second address.
    """

    game: str
    seat: str
    complaint: bool
    goes_on: bool = False
