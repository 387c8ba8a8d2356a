"""What letters say, as values, of the messages and votes of players and of their house rules."""

from dataclasses import dataclass

from referee.letters.charter import Charter
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


@dataclass(frozen=True, slots=True)
class HouseRules(Notice):
    """The house rules of a game, to who asked for them."""

    rules: Charter


@dataclass(frozen=True, slots=True)
class HouseRulesChanged(Notice):
    """To the players: the house rules have a new version; *gone* and *new* are lines of them.

    *started* tells that the game had begun, so that the change marks it.
    """

    game: str
    version: int
    started: bool
    gone: tuple[str, ...]
    new: tuple[str, ...]
