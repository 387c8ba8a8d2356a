"""Rehearsal of a letter: its commands are carried out in order, and all of it is undone.

So the preview of a line shows what it does after the lines above it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, TypeGuard

from referee.desk.orders.letter_context import LetterContext
from referee.desk.reception.commands import COMMANDS
from referee.domain.commands import Absent, NoAbsence
from referee.parsing.body import Body, Item, ParsedCommand
from referee.rules.ruleset import UserError
from referee.store.database.base import trial

_MOST_SECONDS: Final = 5.0
"""The processor time that the rehearsal of one letter can take."""
_TOO_MUCH: Final = "An email can do only so much at once. Send this in another email."


@dataclass(slots=True)
class Rehearsal:
    """A letter that is rehearsed; *context* is as the commands so far left it."""

    context: LetterContext
    _real: LetterContext

    def play(self, item: Item) -> None:
        """Carry out a command that changes what those below it do, if the letter has several.

        Raises UserError as the command does, or if the letter does too much.
        """
        if self.context is self._real or not _is_rehearsed(item, self.context):
            return
        before = self._real.cpu_seconds
        try:
            self._play(item)
        finally:
            # The letter itself may take as long when it is carried out.
            self._real.began += self._real.cpu_seconds - before
        if self.context.cpu_seconds > _MOST_SECONDS:
            raise UserError(_TOO_MUCH)

    def _play(self, item: ParsedCommand) -> None:
        run = COMMANDS[type(item.command)].run
        if run is not None:
            run(self.context, item.command)
        self.context.session.flush()
        self.context.reload()


@contextmanager
def rehearsed(context: LetterContext, body: Body) -> Iterator[Rehearsal]:
    """Yield the rehearsal of a letter. Nothing that is done in it remains.

    A letter with one such command needs none. An unverified GM is shown no effects, so nothing of
    theirs is carried out.
    """
    if sum(_is_rehearsed(item, context) for item in body.items) < 2:
        yield Rehearsal(context, context)
        return
    desk = replace(context.desk, faults=[], unasked=[])
    stage = replace(context, desk=desk, said=[], letters=[], faults=[], gm_news={})
    stage.sheet = None
    with trial(context.session):
        yield Rehearsal(stage, context)


def _is_rehearsed(item: Item, context: LetterContext) -> TypeGuard[ParsedCommand]:
    """Return whether the item is a command of a verified GM, or an absence or its end."""
    if isinstance(item, ParsedCommand) and isinstance(item.command, Absent | NoAbsence):
        return True
    return context.identity.is_believed and changes_game(item)


def changes_game(item: Item) -> TypeGuard[ParsedCommand]:
    """Return whether the item is a command of a GM that can change what follows it."""
    return isinstance(item, ParsedCommand) and COMMANDS[type(item.command)].changes_game
