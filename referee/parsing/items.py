"""The results of reading: an order, or words that could not be read.

Named tuples, because one is made for each order and a frozen dataclass takes twice the time.
"""

from typing import Any, NamedTuple


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
