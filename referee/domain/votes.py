"""Votes among the players of a game: what can be moved, and the arithmetic of who has won."""

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Motion(Enum):
    """What the players of a game can decide among themselves."""

    EXTEND = "extend"
    """More time for the running turn."""
    PAUSE = "pause"
    RESUME = "resume"
    """The game goes on that a vote has paused."""
    DRAW = "draw"
    """The game is over, and all who still play have won."""
    CONCEDE = "concede"
    """The game is over, and one of them has won."""
    END = "end"
    """The game is over as it stands."""


ENDINGS: Final = frozenset({Motion.DRAW, Motion.CONCEDE, Motion.END})


class Quorum(Enum):
    """How many of those who may vote must say yes."""

    NEVER = "never"
    """There are no such votes in the game."""
    MAJORITY = "majority"
    """More than half of them."""
    TWO_THIRDS = "two-thirds"
    """At least two thirds of them."""
    ALL = "all"


class Secrecy(Enum):
    """Which votes are secret."""

    NONE = "none"
    ENDINGS = "endings"
    """Those that would end the game."""
    ALL = "all"

    def hides(self, motion: Motion) -> bool:
        """Return whether a vote on *motion* is secret."""
        return self is Secrecy.ALL or (self is Secrecy.ENDINGS and motion in ENDINGS)


class VoteResult(Enum):
    """What has become of a vote."""

    OPEN = "open"
    CARRIED = "carried"
    LOST = "lost"
    VOID = "void"
    """It came to matter no more, such as when the turn was resolved that it would have extended."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many voted for and against, and how many may vote at all."""

    yes: int
    no: int
    entitled: int


def needed(quorum: Quorum, entitled: int) -> int:
    """Return how many of so many must say yes, at least 1; one more than there are for NEVER."""
    match quorum:
        case Quorum.NEVER:
            return entitled + 1
        case Quorum.MAJORITY:
            return entitled // 2 + 1
        case Quorum.TWO_THIRDS:
            return max(-(-2 * entitled // 3), 1)
        case Quorum.ALL:
            return max(entitled, 1)


def decide(tally: Tally, quorum: Quorum, *, secret: bool, over: bool) -> VoteResult:
    """Return the outcome so far; *over* tells that the time to vote has ended.

    An open vote closes as soon as nothing can change its outcome. A secret one closes before its
    time only when everybody has voted, or its end would tell how the last ballot was cast. Who is
    silent has not said yes.
    """
    enough = needed(quorum, tally.entitled)
    if secret:
        settled = tally.entitled > 0 and tally.yes + tally.no >= tally.entitled
    else:
        settled = tally.yes >= enough or tally.entitled - tally.no < enough
    if not (settled or over):
        return VoteResult.OPEN
    return VoteResult.CARRIED if tally.yes >= enough else VoteResult.LOST
