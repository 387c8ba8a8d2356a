"""FINAL and WAIT: seats that are ready, and turns that can be resolved early."""

from collections.abc import Sequence
from datetime import datetime

from referee.desk.base.loaded_games import LoadedGame
from referee.desk.orders import sheets
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import OpenSheet
from referee.domain.commands import Final, Wait
from referee.store.games import undo_log
from referee.store.games.undo_log import UndoKind
from referee.store.models import GameStatus, SeatRow

_ON_HOLD = "The game is on hold, so no turn is resolved until it resumes."


def preview(context: LetterContext, _command: Final | Wait) -> str:
    """Return the preview of FINAL or WAIT."""
    context.table_for_orders()
    return ""


def answer_final(context: LetterContext, _command: Final) -> str:
    """Handle FINAL. When every seat that still has to send orders is final, the turn is due.

    Without a sheet on file, an empty one is filed, unless the seat has standing orders.
    """
    table, row = context.table_for_orders(), context.seat()
    sheet = context.sheet_of(table.game.turn)
    sheet.is_final = True
    sheets.file(context.session, sheet, context.now)
    _declare(context, table, row, (table.game.turn, 0))
    doubt = "" if context.sheet is sheet else _doubt(sheet)
    return f"{_ready(table)} {doubt}".rstrip()


def _ready(table: LoadedGame) -> str:
    if table.game.status is GameStatus.HELD:
        return f"You are ready. {_ON_HOLD}"
    if table.game.ready_at is None:
        return (
            "You are ready. The turn is resolved early when everyone has sent FINAL. "
            "Until then you can still change your orders."
        )
    return "Everyone is ready: the turn is resolved now."


def _doubt(sheet: OpenSheet) -> str:
    """Return what the answer to a FINAL says about the sheet, which it does not show, or ""."""
    if not sheet.draft.entries:
        runs = sheet.before is None and sheet.row.standing
        return "Your standing orders run." if runs else "The sheet on file for you is empty."
    entries = sheet.table.with_orders(sheet.draft.entries)
    rejected = sheets.rule_sheet(sheet.table, sheet.row, entries, sheet.turn).faults
    if not rejected:
        return ""
    are = "order on your sheet is" if len(rejected) == 1 else "orders on your sheet are"
    return f"{len(rejected)} {are} rejected; ORDERS shows the reasons."


def answer_wait(context: LetterContext, _command: Wait) -> str:
    """Handle WAIT. It takes FINAL back, so the turn is not resolved before its deadline."""
    table = context.table_for_orders()
    _declare(context, table, context.seat(), (0, table.game.turn))
    if table.game.status is GameStatus.HELD:
        return f"You are not ready. {_ON_HOLD}"
    return "The turn waits for its deadline."


def set_readiness(table: LoadedGame, row: SeatRow, turns: Sequence[int], now: datetime) -> None:
    """Set the *turns* of the seat's last FINAL and WAIT, and whether the game's turn is ready."""
    row.final_turn, row.wait_turn = turns
    if row.final_turn != table.game.turn:
        table.game.ready_at = None
    elif not waited_for(table):
        table.game.ready_at = now


def _declare(context: LetterContext, table: LoadedGame, row: SeatRow, turns: Sequence[int]) -> None:
    before = [row.final_turn, row.wait_turn]
    set_readiness(table, row, turns, context.now)
    undo_log.note(
        context.session,
        row,
        context.row,
        UndoKind.READY,
        "FINAL" if row.final_turn == table.game.turn else "WAIT",
        turn=table.game.turn,
        before=before,
        after=turns,
    )


def waited_for(table: LoadedGame) -> list[SeatRow]:
    """Return the seats with a player that still have to send orders and have not said FINAL."""
    held = (other for other in table.game.seats if other.person is not None)
    awaited = (other for other in held if table.awaits(other))
    return [other for other in awaited if other.final_turn != table.game.turn]
