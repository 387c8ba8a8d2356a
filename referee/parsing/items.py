"""What reading gives: an order that was understood, or a place where reading failed.

They are named tuples, for one is made for each order and a frozen dataclass takes twice the time.
"""

from typing import Any, NamedTuple


class Parsed(NamedTuple):
    """An order that was read; *line* and *column*, from 1, are where it begins in the mail."""

    order: Any
    text: str
    line: int
    column: int


class Unparsed(NamedTuple):
    """Words that are no order: why, and the way out.

    *text* is what was typed, folded to plain characters. *line* and *column*, from 1, are the
    place of the mistake in the player's own mail; *caret* is the same place in *text*, from 0.
    """

    text: str
    line: int
    column: int
    reason: str
    advice: str = ""
    caret: int = 0
