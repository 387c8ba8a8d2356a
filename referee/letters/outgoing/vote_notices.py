"""What letters say of votes, as values."""

from dataclasses import dataclass

from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class VoteOpened(Notice):
    """To who may vote, and to GMs: somebody proposes something to the players of a game.

    *command* votes on it, with YES or NO; it is empty to those who have no vote.
    """

    game: str
    who: str
    moved: str
    demand: str
    secret: bool
    closes: Moment
    command: str


@dataclass(frozen=True, slots=True)
class VoteClosed(Notice):
    """To players and GMs: a vote has ended; *yes* and *no* name who voted so, if that is open."""

    game: str
    turn: int
    carried: bool
    proposal: str
    line: str
    yes: str
    no: str
    effect: str
    deadline: Moment | None
