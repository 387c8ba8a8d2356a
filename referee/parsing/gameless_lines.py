"""Lines of an email about no running game."""

from collections.abc import Sequence
from typing import Final

from referee.parsing.commands import players_reader
from referee.parsing.items import Unparsed
from referee.parsing.lines import Line
from referee.parsing.unread_lines import not_read

NO_COMMAND: Final = "This is not a command. There is no running game, so it cannot be an order."
_MOST_LINES: Final = 100
"""How many lines are looked at, whoever wrote the email."""


def without_game(lines: Sequence[Line], *, is_for_gm: bool) -> list[Unparsed]:
    """Return the lines to answer; most of them are words.

    Only a GM is answered about each line: other people write prose before the start. For them it is
    one, at best one that is not a remark, such as an order.
    """
    if is_for_gm:
        return [_unread(line) for line in lines]
    is_remark = players_reader().is_remark
    unread = (_unread(line) for line in lines[:_MOST_LINES])
    marked = [each._replace(is_remark=is_remark(each.text)) for each in unread]
    return sorted(marked, key=lambda each: each.is_remark)[:1]


def _unread(line: Line) -> Unparsed:
    return not_read(line, NO_COMMAND)._replace(is_command=False)
