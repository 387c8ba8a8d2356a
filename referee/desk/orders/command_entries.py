"""Entries of commands, declared next to their deeds: who may send each, and what it does."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, Flag, auto
from functools import partial
from typing import Final, Generic, TypeVar

from referee.desk.orders.letter_context import LetterContext
from referee.domain.commands import Command
from referee.letters.outgoing.notices import CommandAnswers, Notice

C = TypeVar("C", bound=Command)


class For(Flag):
    """The people who may send a command."""

    ANYONE = auto()
    """Everyone, including strangers."""
    KNOWN = auto()
    """Everyone we know, for themselves."""
    SEAT = auto()
    """The player of a seat."""
    DEPUTY = auto()
    """A player's deputy, in a letter for the seat."""
    GM = auto()
    """A GM of the game."""


class Effect(Enum):
    """The effect of a command, which decides what its letter waits for."""

    ASKS = "asks"
    """Changes nothing, so it is done even in a CHECK."""
    READS = "reads"
    """Says how the letter is read; the acknowledgement shows the result."""
    BINDS = "binds"
    """Acts in a seat's name, so the sender must be verified."""
    SETS = "sets"
    """Sets or shows something of a person in all games: verified like BINDS, without a seat."""
    ENTERS = "enters"
    """Enters the sender somewhere, known or not: confirmed first, unless they are proven."""
    CHANGES = "changes"
    """Changes a game. Its GM must be proven, and UNDO or a command that it names takes it back."""
    CONFIRMED = "confirmed"
    """Has consequences: previewed first, and done when the sender has confirmed it.

    The question says why it is asked.
    """
    FOR_GOOD = "for good"
    """Confirmed like CONFIRMED, and the question says that not all of it can be undone."""


CONSEQUENT: Final = frozenset({Effect.CHANGES, Effect.CONFIRMED, Effect.FOR_GOOD})
"""The effects of commands that have a preview in words of their own."""
LASTING: Final = CONSEQUENT - {Effect.CHANGES}
"""The effects of commands that are done only when the sender has confirmed them."""
BINDING: Final = frozenset({Effect.BINDS, Effect.SETS}) | CONSEQUENT
"""The effects of commands that may wait for a confirmation."""


@dataclass(frozen=True, slots=True)
class Deed:
    """The change that a checked command makes: *says* for the preview, *do* to make it.

    *do* returns a sentence of the answer, or nothing. *lasting* is why a change of a GM cannot be
    taken back as others of the same command can, or "".
    """

    says: str
    do: Callable[[], str]
    lasting: str = ""


@dataclass(frozen=True, slots=True)
class Entry(Generic[C]):
    """One command.

    *topic* is the word, or words, of its HELP. *prepare* checks it and returns its deed, or raises
    UserError, in words for the sender, if it is not possible; only a command that READS may lack
    it. *shown_in* is a test conversation that contains it, and *answer* the notice that answers it.
    *because* is why one that is CONFIRMED is asked about, to follow "because".
    """

    topic: str
    command: type[C]
    who: For
    effect: Effect
    shown_in: str
    prepare: Callable[[LetterContext, C], Deed] | None = None
    answer: type[Notice] = CommandAnswers
    because: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError if the entry lacks its deed, or the reason to ask about it."""
        if self.prepare is None and self.effect is not Effect.READS:
            raise ValueError(f"{self.command.__name__}: there is no use case")
        if bool(self.because) is not (self.effect is Effect.CONFIRMED):
            raise ValueError(f"{self.command.__name__}: what is confirmed says why, nothing else")

    @property
    def changes_game(self) -> bool:
        """Whether the command is a GM's and can change what later ones do."""
        return self.who is For.GM and self.effect in CONSEQUENT


def command(
    kind: type[C],
    topic: str,
    who: For,
    effect: Effect = Effect.CONFIRMED,
    *,
    shown_in: str,
    answer: type[Notice] = CommandAnswers,
    because: str = "",
) -> Callable[[Callable[[LetterContext, C], Deed]], Entry[C]]:
    """Declare a command by the function that checks it and returns its deed.

    The function is called for the preview, and again when the command is done. One that is
    CONFIRMED says why, to follow *because*. Raise ValueError if the command never waits, so that
    nobody sees its preview.
    """
    if effect not in BINDING | {Effect.ENTERS}:
        raise ValueError(f"{kind.__name__}: it never waits, so nobody sees its preview")

    def declare(prepare: Callable[[LetterContext, C], Deed]) -> Entry[C]:
        return Entry(topic, kind, who, effect, shown_in, prepare, answer, because)

    return declare


def question(
    kind: type[C],
    topic: str,
    who: For,
    effect: Effect = Effect.ASKS,
    *,
    shown_in: str,
    answer: type[Notice] = CommandAnswers,
    check: Callable[[LetterContext], object] = lambda _context: None,
    says: str = "",
) -> Callable[[Callable[[LetterContext, C], str]], Entry[C]]:
    """Declare a command without a preview by the function that does it.

    *check* raises UserError if it is refused, also before the sender is asked about it, and *says*
    is what it does, if its words do not say that. Raise ValueError if its sender would confirm it.
    """
    if effect in LASTING | {Effect.ENTERS}:
        raise ValueError(f"{kind.__name__}: its sender confirms it without a preview")

    def declare(run: Callable[[LetterContext, C], str]) -> Entry[C]:
        def prepare(context: LetterContext, given: C) -> Deed:
            check(context)
            return Deed(says, partial(run, context, given))

        return Entry(topic, kind, who, effect, shown_in, prepare, answer)

    return declare
