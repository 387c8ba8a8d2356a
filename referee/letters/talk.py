"""What letters say, as values, of the messages and votes of players and of their house rules."""

from dataclasses import dataclass

from referee.letters.moments import Moment
from referee.letters.notices import Notice


@dataclass(frozen=True, slots=True)
class PressLetter(Notice):
    """A message of another player, or to the GM, that does not wait for the report.

    *sender* and *recipients* are as in a PressItem; *answer* are the lines that answer it.
    """

    game: str
    sender: str
    recipients: str
    text: str
    answer: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PressDelivered(Notice):
    """To the writer of a message who asked for it: it has gone out."""

    game: str
    receipt: int
    recipients: str
    at: Moment


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
    line: str
    yes: str
    no: str
    effect: str
    deadline: Moment | None
