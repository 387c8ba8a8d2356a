"""Letters about votes."""

from dataclasses import dataclass

from referee.letters.outgoing.local_time import Deadline, Moment, MovedDeadline
from referee.letters.outgoing.notices import Notice


@dataclass(frozen=True, slots=True)
class VoteOpened(Notice):
    """To voters and GMs: a proposal to the players of a game.

    *command* votes on it, with YES or NO; it is empty for a reader without a vote. *for_gm* says
    that it is about another GM.
    """

    game: str
    who: str
    moved: str
    demand: str
    secret: bool
    closes: Moment
    command: str
    for_gm: bool = False


@dataclass(frozen=True, slots=True)
class VoteClosed(Notice):
    """To players and GMs: a vote has ended; *yes* and *no* name who voted so, if that is open.

    If it *moved* the deadline, the letter begins with that.
    """

    game: str
    turn: int
    passed: bool
    proposal: str
    line: str
    yes: str
    no: str
    effect: str
    deadline: Deadline | None
    moved: MovedDeadline | None = None
