"""Limits of one letter: the questions it can ask twice, and the budget of its answer."""

from collections.abc import Mapping
from dataclasses import astuple
from typing import Final

from referee.desk.orders.command_entries import Effect
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reception.commands import COMMANDS, COSTLY
from referee.domain.commands import Command
from referee.domain.shares import Thing
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.notices import (
    AlreadyReceived,
    CommandAnswers,
    LineError,
    Notice,
    Quarantined,
    Unknown,
)
from referee.parsing.body import Body, ParsedCommand
from referee.parsing.items import Unparsed

_EXITS: Final = frozenset({"HOLD", "SET TOKENS", "STATUS", "UNDO"})
"""The commands that end an attack, or show it, if they have no words of their own."""
_REPEATED: Final = (
    "Not done, because one email answers each question once. Send it in another email."
)


def exit_of(body: Body) -> str:
    """Return the command of a letter that has no other item, if it ends an attack, or ""."""
    items = [item for item in body.items if not (isinstance(item, Unparsed) and item.is_words)]
    commands = [item.command for item in items if isinstance(item, ParsedCommand)]
    if len(items) != 1 or not commands or any(astuple(commands[0])):
        return ""
    topic = COMMANDS[type(commands[0])].topic
    return topic if topic in _EXITS else ""


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


def thing_of(context: LetterContext) -> Thing:
    """Return the thing that the answer is to a letter that was carried out.

    A letter that changed nothing is IDLE if it asked nothing, or if it has other words too: that is
    how a program answers our answers, whatever it quotes of them.
    """
    if has_changed_something(context):
        return Thing.CHANGE if context.identity.trust.is_believed else Thing.WORK
    if _tests_orders(context):
        return Thing.WORK
    if not _has_asked(context) or any(map(_has_other_words, _notices(context))):
        return Thing.IDLE
    return Thing.WORK


def _notices(context: LetterContext) -> list[Notice]:
    return [notice for notice, _ in context.letters]


def has_changed_something(context: LetterContext) -> bool:
    """Return whether the letter changed its sheet, the game or something of its sender."""
    return any(not said.is_answer for said in context.said) or has_changed_orders(context)


def has_changed_orders(context: LetterContext) -> bool:
    """Return whether the sheet on file has other orders than before the letter.

    Repeated ones make no difference: a program that copies our answer repeats all of them.
    """
    sheet = context.sheet
    if sheet is None or sheet.filed is None:
        return False
    before = sheet.before
    return sheet.filed.withdrawn or before is None or {*before.orders} != {*sheet.filed.orders}


def _tests_orders(context: LetterContext) -> bool:
    """Return whether the letter has orders for a CHECK, which files nothing."""
    sheet = context.sheet
    return sheet is not None and sheet.checking and any(e.line for e in sheet.draft.entries)


def _has_asked(context: LetterContext) -> bool:
    """Return whether the letter asked something, or its orders are answered in some other way."""
    idle = (Acknowledgement, CommandAnswers, Unknown, AlreadyReceived, Quarantined)
    others = any(not isinstance(notice, idle) for notice in _notices(context))
    filed = context.sheet is not None and context.sheet.filed is not None
    return bool(context.said) or others or filed


def _has_other_words(notice: Notice) -> bool:
    """Return whether the answer names lines that were neither orders nor commands."""
    faults: tuple[LineError, ...] = ()
    if isinstance(notice, CommandAnswers | Acknowledgement):
        faults = notice.faults
    return any(not fault.filed for fault in faults)
