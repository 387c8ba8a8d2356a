"""Votes among the players of a game: the motions, and the arithmetic of the result."""

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Motion(Enum):
    """A decision that the players of a game can make among themselves."""

    EXTEND = "extend"
    """More time for the current turn."""
    HOLD = "hold"
    RESUME = "resume"
    """The game continues after a hold."""
    DRAW = "draw"
    """The game is over, and all who still play have won."""
    CONCEDE = "concede"
    """The game is over, and one of them has won."""
    END = "end"
    """The game is over with its present standings."""
    GM = "gm"
    """The game gets another GM, because its own is silent."""


ENDINGS: Final = frozenset({Motion.DRAW, Motion.CONCEDE, Motion.END})


class Quorum(Enum):
    """The number of voters who must say yes."""

    NEVER = "never"
    """The game has no such votes."""
    MAJORITY = "majority"
    """More than half of the voters."""
    TWO_THIRDS = "two-thirds"
    """At least two thirds of the voters."""
    ALL = "all"


class Secrecy(Enum):
    """The kinds of votes that are secret."""

    NONE = "none"
    ENDINGS = "endings"
    """The votes that would end the game."""
    ALL = "all"

    def hides(self, motion: Motion) -> bool:
        """Return whether a vote on *motion* is secret."""
        return self is Secrecy.ALL or (self is Secrecy.ENDINGS and motion in ENDINGS)


class VoteResult(Enum):
    """The result of a vote."""

    OPEN = "open"
    PASSED = "passed"
    NOT_PASSED = "not passed"
    VOID = "void"
    """The vote no longer matters, for example because the turn to extend was resolved."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The numbers of votes for and against, and of entitled voters."""

    yes: int
    no: int
    entitled: int


def needed(quorum: Quorum, entitled: int) -> int:
    """Return how many voters must say yes, at least 1; for NEVER, one more than there are."""
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
    """Return the result so far; *over* is true if the time to vote has ended.

    An open vote closes as soon as nothing can change its result. A secret vote closes early only
    when every voter has voted, because its end would reveal the last ballot. Not voting counts as
    no.
    """
    enough = needed(quorum, tally.entitled)
    if secret:
        settled = tally.entitled > 0 and tally.yes + tally.no >= tally.entitled
    else:
        settled = tally.yes >= enough or tally.entitled - tally.no < enough
    if not (settled or over):
        return VoteResult.OPEN
    return VoteResult.PASSED if tally.yes >= enough else VoteResult.NOT_PASSED
