"""Limits of one letter: what it can ask twice, and how much work it can cause."""

from collections.abc import Mapping
from typing import Final

from referee.desk.orders.command_entries import Effect
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reception.commands import COMMANDS, COSTLY
from referee.domain.commands import Command
from referee.errors import LetterTooCostly
from referee.parsing.body import Body

MOST_SECONDS: Final = 2.0
"""The processor time that the reading and the commands of one letter can take."""
MOST_MEMORY: Final = 500_000_000
"""The octets of memory that one letter can take."""
_REPEATED: Final = (
    "Not done, because one email answers each question once. Send it in another email."
)


def repeated(body: Body) -> Mapping[int, str]:
    """Return, by line, why a question that the letter has asked before is not answered.

    What costs much is answered once in any form. Any other question is answered once in the same
    form, and again after a command that can change the answer.
    """
    refused: dict[int, str] = {}
    asked: set[Command] = set()
    costly: set[type[Command]] = set()
    for item in body.commands:
        kind = type(item.command)
        if COMMANDS[kind].effect is not Effect.ASKS:
            asked.clear()
        elif item.command in asked or kind in costly:
            refused[item.line] = _REPEATED
        elif kind in COSTLY:
            costly.add(kind)
        else:
            asked.add(item.command)
    return refused


def check_cost(context: LetterContext) -> None:
    """Raise LetterTooCostly if the letter has used up its processor time or its memory."""
    if context.cpu_seconds > MOST_SECONDS:
        raise LetterTooCostly(
            f"email #{context.row.id}: needs more than {MOST_SECONDS:g} s of processor time"
        )
    if context.memory > MOST_MEMORY:
        raise LetterTooCostly(
            f"email #{context.row.id}: needs more than {MOST_MEMORY // 1_000_000} MB of memory"
        )
