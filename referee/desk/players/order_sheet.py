"""ADD, CANCEL and CLEAR: a letter changes its sheet, or withdraws one for a future turn."""

from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import change, open_sheet, withdraw
from referee.domain.commands import Add, Cancel, Clear, Command


def is_about_open_sheet(context: LetterContext, command: Command) -> bool:
    """Return whether a command changes the open sheet; CLEAR T12 may be about another one."""
    if isinstance(command, Clear) and context.sheet is not None:
        return command.turn in (None, context.sheet.turn)
    return isinstance(command, Add | Cancel) or (
        isinstance(command, Clear) and command.turn is None
    )


def edit(context: LetterContext, command: Add | Cancel | Clear) -> str:
    """Handle ADD, CANCEL and CLEAR. The acknowledgement shows the resulting sheet.

    CLEAR T12 may be about another sheet than the open one.
    """
    if not is_about_open_sheet(context, command):
        assert isinstance(command, Clear)
        return _withdraw(context, command)
    # If the sheet could not be opened, the reason was already answered.
    return change(context.sheet, command) if context.sheet is not None else ""


def preview(context: LetterContext, _command: Cancel | Clear) -> str:
    """Return the preview of CANCEL and CLEAR."""
    context.turn_of_orders()
    return ""


def _withdraw(context: LetterContext, command: Clear) -> str:
    assert command.turn is not None
    table, row = context.table_for_orders(), context.seat()
    sheet = open_sheet(context.session, table, row, context.row, command.turn)
    return withdraw(context.session, sheet, context.now)
