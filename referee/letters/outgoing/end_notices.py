"""Letters about the end of a game."""

from dataclasses import dataclass

from referee.letters.outgoing.notices import Notice
from referee.letters.outgoing.pairs import Drawn


@dataclass(frozen=True, slots=True)
class BookFile:
    """The book of a game as a file of an email. One without a name could not be made yet."""

    file: str = ""
    """The name of the attached file."""
    operator: str = ""
    """The address of the operator, who can make a book that is too large to be attached."""


@dataclass(frozen=True, slots=True)
class FinalStanding(Notice):
    """The game is over: the standing for everybody, and the seed to check the whole game."""

    game: str
    title: str
    turn: int
    """The last turn that was resolved; 0 if there was none."""
    winners: tuple[str, ...]
    standing: Drawn
    commitment: str
    seed: str
    seat: str = ""
    """The seat of the reader, if they played."""
    players: tuple[str, ...] = ()
    """The seats and their players: ``FRODO: Frodo Baggins``."""
    observer: bool = False
    """Whether the reader did not play."""
    files: tuple[str, ...] = ()
    """The attached record of the game, with which everybody can resolve it again."""
    drawn: bool = False
    """Whether the game is a draw between the winners."""
    why: str = ""
    """That the GM or a vote ended the game; "" if its rules did."""
    vote: tuple[str, ...] = ()
    """The result of the vote that ended the game, and who voted so, for a reader who had a part."""
    not_done: bool = False
    """Whether orders of the reader, or for a GM of anyone, were on file and not carried out."""
    notes: tuple[str, ...] = ()
    """The announcements that were in no report."""
    unsent: int = 0
    """How many messages of the reader waited for the next report and were not sent."""
    choices: tuple[str, ...] = ()
    """The reader's choices of what a revealed game shows, and how to change them."""
    reveals: str = ""
    """From when the GM can reveal the game, and until when players can change their choices."""
    book: BookFile | None = None
    """The book of the game for this reader; None for a game without one."""


@dataclass(frozen=True, slots=True)
class Plain(Notice):
    """A report or the final standings without layout, because that cannot be made."""

    what: str
    facts: tuple[str, ...]
    """The sentences above the *view*."""
    view: Drawn
    stands_for: str
    """The kind of the letter in its place."""

    @property
    def kind(self) -> str:
        """The kind of the letter in the outbox."""
        return self.stands_for


@dataclass(frozen=True, slots=True)
class Book(Notice):
    """To every player, GM and observer of a game that has ended: the game as a book."""

    game: str
    title: str
    book: BookFile
    revealed: bool
    """Whether the GM has revealed the game, so that the book has messages and diaries."""
    seat: str = ""
    """The seat of the reader, whose reports are in it; empty for a GM."""
    observer: bool = False
    """Whether the reader has observed the game, so that the book has its public part."""


@dataclass(frozen=True, slots=True)
class Revealed(Notice):
    """To every player and GM of a game that has ended: all of it.

    The archive has the orders of *turns*, *messages* and *entries* of diaries. It is *text*, or one
    of the *files*, or *left_out* because it is too large.
    """

    game: str
    title: str
    turns: int
    messages: int
    entries: int
    text: str
    files: tuple[str, ...]
    left_out: bool = False
