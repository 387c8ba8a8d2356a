"""ADD, CANCEL and CLEAR: a letter changes the sheet it is about, or withdraws a coming one."""

from referee.desk.orders.letter_context import Visit
from referee.desk.orders.sheets import change, open_sheet, withdraw
from referee.domain.commands import Add, Cancel, Clear, Command


def is_about_open_sheet(visit: Visit, command: Command) -> bool:
    """Return whether a command changes the open sheet; CLEAR T12 may be about another one."""
    if isinstance(command, Clear) and visit.sheet is not None:
        return command.turn in (None, visit.sheet.turn)
    return isinstance(command, Add | Cancel) or (
        isinstance(command, Clear) and command.turn is None
    )


def edit(visit: Visit, command: Add | Cancel | Clear) -> str:
    """ADD, CANCEL and CLEAR: the acknowledgement shows the sheet as it stands then.

    CLEAR T12 may be about another sheet than the open one.
    """
    if not is_about_open_sheet(visit, command):
        assert isinstance(command, Clear)
        return _withdraw(visit, command)
    # Where the sheet could not be opened the reason was told.
    return change(visit.sheet, command) if visit.sheet is not None else ""


def _withdraw(visit: Visit, command: Clear) -> str:
    assert command.turn is not None
    table, row = visit.table_for_orders(), visit.seat()
    sheet = open_sheet(visit.session, table, row, visit.row, command.turn)
    return withdraw(visit.session, sheet, visit.now)
