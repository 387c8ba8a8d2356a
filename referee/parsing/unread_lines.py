"""Lines of a letter that are no order and no command, as the answer names them."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from referee.parsing.command_lines import (
    ParsedCommand,
    first_word,
    is_command,
    opens_block,
    read_command,
)
from referee.parsing.heading import beside_heading, read_heading
from referee.parsing.items import Unparsed
from referee.parsing.lines import MOST_CHARACTERS, Line, plain

_NUMBERED: Final = re.compile(r"\s*(?P<mark># ?[0-9]{1,3})(?:[.):]\s*|\s+)(?P<rest>\S.*)")
"""A note that can be meant for an order with its number: ``#1 F3W75``."""
_MARKS: Final = " .,;:!-"


def mistyped(line: Line, word: str, intended: str, *, block: bool) -> Unparsed:
    """Return an answer to a mistyped command, or to the block it would have begun."""
    text = plain(line.text).strip()
    column = len(line.text) - len(line.text.lstrip()) + 1
    omitted = ", so this line and all lines down to END were left out" if block else ""
    reason = f"Unknown word {text[: len(word)]}{omitted}."
    advice = f"Did you mean {intended}{text[len(word) :]}?"
    return Unparsed(text, line.number, column, reason, advice, is_command=True)


def not_read(line: Line, reason: str, advice: str = "", lost: int = 0) -> Unparsed:
    """Return an answer about a line that was not read: the *reason*, and *lost* lines in all."""
    text = plain(line.text[:MOST_CHARACTERS]).strip()
    column = len(line.text) - len(line.text.lstrip()) + 1
    return Unparsed(text[:78], line.number, column, reason, advice, is_command=True, lost=lost)


def no_end(word: str, other: Line | None) -> tuple[str, str]:
    """Return reason and advice for a block that begins with *word* and has no END.

    *other* is the first line of another block, which comes before the END of a DIARY.
    """
    left_out = f"so {word} and all lines below it were left out."
    if other is not None:
        inner = first_word(other)
        reason = f"{inner} in line {other.number} comes before the END of {word}, {left_out}"
        return reason, (
            f"If {inner} is part of your entry, put a dash before it, and before its own END if "
            f"it has one. If not, write {word} below everything else. Then send these lines again."
        )
    advice = " To read your diary, write nothing below DIARY." if word == "DIARY" else ""
    return f"Expected END below {word}, {left_out}", f"Send it again with END.{advice}"


def in_heading(line: Line, orders_in: Callable[[Line], int]) -> Iterator[ParsedCommand | Unparsed]:
    """Yield the command behind the heading in *line*, or an answer to orders there.

    Other words can be the name of the sender.
    """
    heading, beside = read_heading(line), beside_heading(line)
    if heading is None or beside is None:
        return
    typed, word = beside.text.strip(_MARKS), first_word(beside)
    alone = Line(line.number, typed)
    if not opens_block(alone, word, headed=heading.by_gm) and is_command(
        alone, word, headed=heading.by_gm
    ):
        yield from read_command([alone], word, headed=heading.by_gm)
    elif orders := orders_in(beside):
        reason = "This line names the game, so the order on it was not read."
        item = not_read(beside, reason, f"Write {typed} on a line of its own below it.")
        yield item._replace(is_command=False, others=orders)


def hidden_in_note(line: Line, orders_in: Callable[[Line], int]) -> Unparsed | None:
    """Return an answer to a note that is meant for orders with their number, else None."""
    note = _NUMBERED.fullmatch(plain(line.text[:MOST_CHARACTERS]))
    orders = orders_in(Line(line.number, note["rest"])) if note is not None else 0
    if note is None or not orders:
        return None
    reason = "A line that begins with # is a note, so it was not read."
    item = not_read(line, reason, f"Write the order without {note['mark']}.")
    return item._replace(is_command=False, others=orders)
