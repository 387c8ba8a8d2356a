"""Previews of pending letters: what would be done, what cannot be done, and why."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Final, TypeGuard

from referee.desk.gm import messages
from referee.desk.orders import deputy_rights, doubt, final_conditions
from referee.desk.orders.command_entries import CONSEQUENT, Effect, For
from referee.desk.orders.gm_authority import NoChange
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import is_too_late
from referee.desk.players import order_sheet
from referee.desk.reception import execution
from referee.desk.reception.commands import COMMANDS, INSPECTIONS, SENDERS, deed_of
from referee.desk.reception.letter_limits import check_cost
from referee.domain import commands, gm_commands
from referee.domain.commands import Absent, Command, NoAbsence
from referee.domain.gm_commands import Broadcast, Correct, FileOrders
from referee.domain.sheets import source_of
from referee.domain.trust import Trust
from referee.letters.outgoing.notices import LineError
from referee.parsing.body import (
    Body,
    Item,
    ParsedCommand,
    PressBlock,
    StandingBlock,
)
from referee.parsing.items import Parsed
from referee.rules.ruleset import UserError
from referee.rules.wording import counted, listed
from referee.store.database.base import trial
from referee.store.games import games

_QUESTIONS: Final[Mapping[type[Command], str]] = {
    gm_commands.Export: "mails you the state of the game and all orders as files.",
    gm_commands.Preview: "mails you the reports as they would be now, and changes nothing.",
    gm_commands.Replay: "resolves all stored turns again, and says whether they are identical.",
    gm_commands.ShowSheets: "shows which seats have sent orders.",
}
"""Effects of commands whose words do not say them, such as the questions of a GM."""

_LONGEST: Final = 600
"""The number of characters of a block of a GM that are repeated."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A part of a letter that cannot be done, and why; without an *item*, all its orders."""

    item: Item | None
    mistake: UserError


@dataclass(frozen=True, slots=True)
class Preview:
    """The effects of a letter, one line each, and the parts of it that are refused.

    The *unchanged* are commands that would leave all as it is.
    """

    done: tuple[str, ...]
    refused: tuple[Refused, ...]
    unchanged: tuple[Refused, ...] = ()

    @property
    def is_hopeless(self) -> bool:
        """Whether nothing that the letter asks for can be done."""
        return bool(self.refused) and not self.done and not self.unchanged

    def possible(self, body: Body) -> Body:
        """Return the letter without the parts that are refused or change nothing."""
        left_out = (*self.refused, *self.unchanged)
        return _without(body, [each.item for each in left_out if each.item is not None])

    @property
    def lines(self) -> tuple[str, ...]:
        """Lines for the sender: what will be done, and what changes nothing."""
        same = ((getattr(each.item, "text", ""), each.mistake) for each in self.unchanged)
        return (*self.done, *(f"{text}: {mistake}" for text, mistake in same))

    @property
    def reasons(self) -> dict[int, str]:
        """Why commands and messages are refused, by the line they begin in."""
        return {each.item.line: str(each.mistake) for each in self.refused if each.item is not None}

    @property
    def digest(self) -> str:
        """A hash of what will be done."""
        return hashlib.sha256("\n".join(self.done).encode()).hexdigest()[:16]


def preview(context: LetterContext, body: Body) -> Preview:
    """Preview the letter's effects now, in the order typed, without changing anything.

    FINAL is refused if it would be put aside.
    """
    finals = body.commanded(commands.Final)
    rest = _preview(context, _without(body, finals))
    refused = any(isinstance(each.item, StandingBlock | None) for each in rest.refused)
    rejected = doubt.rejected(context, body) if finals and context.identity.is_believed else ()
    why = final_conditions.preview(body, rejected, refused=refused)
    if not finals or not why:
        return _preview(context, body) if finals else rest
    aside = (Refused(item, UserError(why)) for item in finals)
    return replace(rest, refused=(*rest.refused, *aside))


def _without(body: Body, left_out: Sequence[Item]) -> Body:
    items = tuple(item for item in body.items if item not in left_out)
    return replace(body, items=items) if left_out else body


def _preview(context: LetterContext, body: Body) -> Preview:
    """Return the preview, in which each line sees what the lines above it did."""
    lines: list[tuple[Item, str]] = []
    refused, unchanged = [], []
    orders = [item for item in body.items if isinstance(item, Parsed)]
    with rehearsed(context, body) as rehearsal:
        for item in body.items:
            check_cost(context)
            try:
                line = _previewed(rehearsal.context, item)
                rehearsal.play(item)
            except NoChange as same:
                unchanged.append(Refused(item, same))
            except UserError as mistake:
                refused.append(Refused(item, mistake))
            else:
                lines += [(item, line)] if line and item.line else []
    refused += (kept := _kept_together(context, body, [item for item, _ in lines], refused))
    left_out = [each.item for each in kept]
    done = [line for item, line in lines if item not in left_out]
    try:
        # An order that ends the game has a line of its own.
        others = sum(not item.leaves for item in orders)
        line = _orders(context, others) if orders else ""
        done += [line] if others else []
        done += _newer_orders(context, body) if done else []
    except UserError as mistake:
        refused.append(Refused(None, mistake))
    return Preview(tuple(done), tuple(refused), tuple(unchanged))


def _kept_together(
    context: LetterContext, body: Body, possible: Sequence[Item], refused: Sequence[Refused]
) -> list[Refused]:
    """Return a GM's changes that are possible, but not done because something else is not.

    The changes of one letter are done as a whole: a GM may have meant the one only with the other.
    """
    if not (context.identity.is_gm and context.identity.is_believed):
        return []
    failed = [each.item.line for each in refused if each.item and is_change(context, each.item)]
    failed += [each.line for each in execution.misread_by_gm(context, body) if not each.is_words]
    if not failed:
        return []
    lines = listed(map(str, sorted(failed)))
    which = f"line {lines} is" if len(failed) == 1 else f"lines {lines} are"
    why = UserError(
        f"Not done, because {which} not possible. The changes of one email are made together or "
        "not at all."
    )
    return [Refused(item, why) for item in possible if is_change(context, item)]


def is_change(context: LetterContext, item: Item) -> bool:
    """Return whether an item of a GM's letter changes the game, or tells its players something."""
    return changes_game(item) or (isinstance(item, PressBlock) and messages.is_by_gm(context))


def undone(context: LetterContext, body: Body, preview: Preview) -> tuple[LineError, ...]:
    """Return every line of the letter that will not be done, with its reason."""
    faults = [execution.fault(context, each.item, each.mistake) for each in preview.refused]
    if context.identity.trust is not Trust.NONE:
        # Untrusted senders see only what can be done, so that they cannot write to a player
        # through us.
        faults += execution.unparsed(context, body)
    return tuple(sorted(faults, key=lambda fault: fault.line))


def is_unshown(context: LetterContext, body: Body) -> bool:
    """Return whether the preview leaves out what a command does, because its GM is unverified."""
    return any(_is_unshown(context, item.command) for item in body.commands)


def _previewed(context: LetterContext, item: Item) -> str:
    """Return the preview of one item, or "" for most orders.

    Raises UserError as carrying it out would.
    """
    if not isinstance(item, ParsedCommand):
        return deed_of(context, item).says
    if _is_unshown(context, item.command):
        deputy_rights.refuse(context.identity, item, SENDERS)
        return _own_words(item)
    if order_sheet.is_about_open_sheet(context, item.command):
        context.turn_of_orders()
    shown = deed_of(context, item).says
    stranger = context.identity.is_stranger
    typed = execution.without_echo(item, item.text) if stranger else item.text
    if not shown:
        return _asked(item.command, typed)
    alone = COMMANDS[type(item.command)].effect in CONSEQUENT | {Effect.ENTERS}
    return shown if alone else f"{typed}: {shown}"


def _is_unshown(context: LetterContext, command: Command) -> bool:
    """Return whether nothing is computed of a command, because anybody could have sent it."""
    if not context.identity.is_gm or context.identity.is_believed:
        return False
    return isinstance(command, INSPECTIONS) or COMMANDS[type(command)].who == For.GM


def _asked(command: Command, typed: str) -> str:
    """Return a command as it was typed, with what it does if that is not clear."""
    meaning = _QUESTIONS.get(type(command))
    return typed if meaning is None else f"{typed}: {meaning}"


def _own_words(item: ParsedCommand) -> str:
    """Return a command as it was typed: nothing is computed for an unverified sender."""
    if not isinstance(item.command, Broadcast | Correct | FileOrders):
        return _asked(item.command, item.text)
    return f"{item.text}: {shorten(item.command.text, _LONGEST)}"


def _orders(context: LetterContext, count: int) -> str:
    name = context.seat().name
    deputy_rights.refuse_turn(context.identity, context.game(), context.turn_of_orders())
    return f"{counted(count, 'order')} for {name} in {context.game().name}"


def _newer_orders(context: LetterContext, body: Body) -> list[str]:
    """Return a warning if the letter, confirmed late, replaces orders that came after it."""
    if not _replaces(body) or context.identity.seat is None or context.table is None:
        return []
    turn = context.turn_of_orders()
    if is_too_late(context.game(), turn, context.row.arrived_at):
        return []
    newer = games.on_file(context.session, context.identity.seat, turn)
    if newer is None or newer.letter <= context.row.id:
        return []
    count = counted(len(newer.orders), "order")
    replaced = (
        f"Your newer orders for turn {turn}, {count} from {source_of(newer.receipt)}, are replaced."
    )
    keep = "To keep them, do not confirm. After a CONFIRM, UNDO brings them back."
    return [f"{replaced} {keep}"]


def _replaces(body: Body) -> bool:
    """Return whether the letter takes all orders on file off the sheet."""
    if any(item.command.turn is None for item in body.commanded(commands.Clear)):
        return True
    kept = body.commanded(commands.Add, commands.Cancel)
    orders = [item.line for item in body.items if isinstance(item, Parsed)]
    return bool(orders) and not any(item.line < orders[0] for item in kept)


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
        deed_of(self.context, item).do()
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
