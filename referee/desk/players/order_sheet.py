"""ADD, CANCEL, CLEAR and STANDING NOW: a letter changes its sheet, or withdraws a future one."""

from dataclasses import replace
from typing import Final

from referee.desk.orders.command_entries import Deed, Effect, Entry, For, command
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import change, file, is_too_late, open_sheet, put, withdraw
from referee.desk.orders.standing_orders import standing_doubts
from referee.domain.commands import Add, Cancel, Clear, Command, RunStanding, ShowStanding
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.notices import Reminder
from referee.parsing.body import Body, ParsedCommand
from referee.parsing.items import Parsed
from referee.rules.ruleset import UserError


def is_about_open_sheet(context: LetterContext, command: Command) -> bool:
    """Return whether a command changes the open sheet; CLEAR T12 may be about another one."""
    if isinstance(command, Clear) and context.sheet is not None:
        return command.turn in (None, context.sheet.turn)
    return isinstance(command, Add | Cancel) or (
        isinstance(command, Clear) and command.turn is None
    )


def edit(context: LetterContext, command: Add | Cancel | Clear) -> Deed:
    """ADD, CANCEL and CLEAR. The acknowledgement shows the resulting sheet.

    CLEAR T12 may be about another sheet than the open one.
    """

    def run() -> str:
        if not is_about_open_sheet(context, command):
            assert isinstance(command, Clear)
            return _withdraw(context, command)
        # If the sheet could not be opened, the reason was already answered.
        return change(context.sheet, command) if context.sheet is not None else ""

    return Deed("", run)


_WRITERS: Final = For.SEAT | For.DEPUTY
ADD: Final = Entry("ADD", Add, _WRITERS, Effect.READS, "order_typed", edit, Acknowledgement)
CANCEL: Final = Entry(
    "CANCEL", Cancel, _WRITERS, Effect.BINDS, "order_typed", edit, Acknowledgement
)
CLEAR: Final = Entry("CLEAR", Clear, _WRITERS, Effect.BINDS, "order_typed", edit, Acknowledgement)


def _withdraw(context: LetterContext, command: Clear) -> str:
    assert command.turn is not None
    table, row = context.table_for_orders(), context.seat()
    sheet = open_sheet(context.session, table, row, context.row, command.turn)
    return withdraw(context.session, sheet, context.now)


def with_standing(context: LetterContext, body: Body) -> Body:
    """Return the body with STANDING as STANDING NOW if it replies to a reminder of the seat."""
    seat = context.identity.seat
    if seat is None or not seat.standing or not body.has(ShowStanding):
        return body
    ours = context.answered
    about = (ours.sent.kind, ours.sent.game_id, ours.sent.seat_number) if ours is not None else None
    if about != (Reminder.__name__, seat.game_id, seat.number):
        return body
    items = tuple(
        replace(item, command=RunStanding())
        if isinstance(item, ParsedCommand) and isinstance(item.command, ShowStanding)
        else item
        for item in body.items
    )
    return replace(body, items=items)


@command(RunStanding, "STANDING NOW", For.SEAT, Effect.BINDS, shown_in="reminded")
def run_standing(context: LetterContext, _given: RunStanding) -> Deed:
    """STANDING NOW. A reminder of the turn is no longer sent.

    Raises UserError if there are no standing orders, or if the turn needs none.
    """
    table, row = context.table_for_orders(), context.seat()
    turn = table.game.turn
    if not row.standing:
        raise UserError("You have no standing orders. STANDING, the orders, and END saves some.")
    if is_too_late(table.game, turn, context.row.arrived_at):
        raise UserError(f"The deadline of turn {turn} has passed.")
    sheet = context.sheet_of(turn)
    if sheet.draft.entries:
        raise UserError(f"Your sheet for turn {turn} has orders. CLEAR removes them.")

    def run() -> str:
        for item in table.reader.read("\n".join(row.standing)):
            if isinstance(item, Parsed):
                put(sheet, item)
        file(context.session, sheet, context.now)
        count = len(sheet.draft.entries)
        orders = "standing order" if count == 1 else f"{count} standing orders"
        told = f"Your sheet for turn {turn} is now your {orders}. ORDERS shows it."
        return f"{told} {standing_doubts(table, row).in_words}".rstrip()

    return Deed("", run)
