"""The results of reading: an order, words that could not be read, or a block that ends with END.

An order is a named tuple, because a frozen dataclass takes twice the time. The first line of a
block is read as a block without its text.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from referee.domain.press import PressTime


class Parsed(NamedTuple):
    """An order that was read; *line* and *column*, from 1, are where it begins in the mail.

    *leaves* means that it ends the game of its own player, so it needs a confirmation.
    """

    order: Any
    text: str
    line: int
    column: int
    leaves: bool = False


class Unparsed(NamedTuple):
    """Words that are not an order, with the reason and a fix.

    *text* is what was typed, folded to plain characters. *line* and *column*, from 1, are the
    place of the mistake in the player's own email; *at* is the same place in *text*, from 0.
    *is_words* means that it is a whole line of words. *is_command* means that
    it is a mistyped command or part of a message, and so belongs to no sheet. *others* is the
    number of orders, and *lost* of lines, that are not read because of it. *to_send* are
    lines that order what is among the words.
    """

    text: str
    line: int
    column: int
    reason: str
    advice: str = ""
    at: int = 0
    is_words: bool = False
    is_command: bool = False
    others: int = 0
    lost: int = 0
    to_send: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PressBlock:
    """A message to other players; *text* is as typed.

    *receipt* asks for a delivery receipt. *excluded* are those it does not go to, if it goes to
    ALL. *when* is the time at which it goes out, if its writer has chosen one.
    """

    line: int
    recipients: tuple[str, ...]
    anonymous: bool
    text: str
    receipt: bool = False
    excluded: tuple[str, ...] = ()
    when: PressTime | None = None

    @property
    def head(self) -> str:
        """The shortest form of its first line."""
        word = "PRESS ANONYMOUS" if self.anonymous else "PRESS"
        at = f" AT {self.when.text}" if self.when is not None else ""
        but = f" BUT {', '.join(self.excluded)}" if self.excluded else ""
        return f"{word}{at} TO {', '.join(self.recipients)}{but}"


@dataclass(frozen=True, slots=True)
class DiaryBlock:
    """An entry for the sender's diary; *text* is as typed."""

    line: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class StandingBlock:
    """Orders for every turn without a sheet, parsed or not; none withdraws the present ones."""

    line: int = 0
    items: tuple[Parsed | Unparsed, ...] = ()
