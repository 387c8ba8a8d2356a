"""Text of a letter that was not read although its sender may have meant it."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from referee.desk.orders import player_text
from referee.desk.orders.letter_context import LetterContext
from referee.letters.incoming.quoting import OwnText
from referee.letters.incoming.reply_marker import MARKER
from referee.letters.outgoing.notices import LineError
from referee.parsing.command_lines import first_word, is_command
from referee.parsing.commands import command_words
from referee.parsing.lines import Line
from referee.rules.wording import counted

_MOST_LINES: Final = 200
"""The most lines that are looked through for orders."""
_CUT: Final = (
    f"The line {MARKER} ends your text, so what is below it was not read. Leave that line out and "
    "send the email again."
)
_BELOW_NAME: Final = (
    "This line names who wrote the lines below it, so they were taken for a quote, and no order in "
    "them was read. If they are yours, send them without this line."
)


def find(context: LetterContext, own: OwnText) -> Iterator[LineError]:
    """Yield the lines typed or edited but not read, for senders we accept."""
    if context.identity.person is None:
        return
    if own.named and _hides_orders(context, own.named):
        yield LineError(own.named, "", _BELOW_NAME)
    if own.cut:
        yield LineError(own.cut, "", _CUT)
    yield from _in_signature(context, own)
    yield from _below_press(context, own)
    reading = context.reading
    if reading is not None and reading.remark:
        yield LineError(reading.line, "", reading.remark)


def _hides_orders(context: LetterContext, number: int) -> bool:
    """Return whether an order is below the line with this number."""
    lines = context.letter.text.split("\n")[number:]
    table = context.table
    return table is not None and any(player_text.is_order(table, line) for line in lines)


def _in_signature(context: LetterContext, own: OwnText) -> Iterator[LineError]:
    """Yield how many lines of the signature look like orders or commands, if any do."""
    if not own.signed:
        return
    lost = _for_us(context, own.signed)
    if lost:
        below = counted(len(own.signed) - 1, "line")
        look = f"{counted(len(lost), 'line')} among them look{'s' if len(lost) == 1 else ''}"
        yield LineError(
            own.signed[0],
            "",
            f"A signature begins here, so this line and the {below} below it were not read. {look} "
            "like an order or a command. Write those above the signature.",
        )


def _below_press(context: LetterContext, own: OwnText) -> Iterator[LineError]:
    """Yield that lines between quoted lines of press look like orders or commands, if any do."""
    if lost := _for_us(context, own.below_press):
        more = f" So could {counted(len(lost) - 1, 'line')} below it." if len(lost) > 1 else ""
        yield LineError(
            lost[0].number,
            "",
            "This line was not read. It is below a line of a quoted message, so it could be a part "
            f"of it.{more} If you typed this, send it again above the quoted message.",
        )


def _for_us(context: LetterContext, numbers: Iterable[int]) -> list[Line]:
    """Return those lines of the letter that are orders or commands."""
    lines = context.letter.text.split("\n")
    typed = [Line(number, lines[number - 1]) for number in islice(numbers, _MOST_LINES)]
    return [line for line in typed if _is_for_us(context, line)]


def _is_for_us(context: LetterContext, line: Line) -> bool:
    """Return whether a line is an order or a command."""
    word = first_word(line)
    if word in command_words() and is_command(line, word, headed=False):
        return True
    return context.table is not None and player_text.is_order(context.table, line.text)
