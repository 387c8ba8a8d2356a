"""FINAL and WAIT: who needs no more time, and when the turn need not wait for anybody."""

from collections.abc import Sequence
from datetime import datetime

from referee.desk.base.loaded_games import Table
from referee.store import Session
from referee.store.games import undo_log
from referee.store.games.undo_log import DeedKind
from referee.store.models import InboxLetter, SeatRow


def declare_final(
    session: Session, table: Table, row: SeatRow, letter: InboxLetter, now: datetime
) -> str:
    """Note that the seat needs no more time; when all who owe orders say so, the turn is due."""
    _declare(session, table, row, letter, (table.game.turn, 0), now)
    if table.game.ready_at is None:
        return (
            "You are ready. The turn is resolved early when everybody says FINAL; "
            "until then you can still change your orders."
        )
    return "Everybody is ready: the turn is resolved now."


def declare_wait(
    session: Session, table: Table, row: SeatRow, letter: InboxLetter, now: datetime
) -> str:
    """Take a FINAL back: the turn is not resolved before its deadline."""
    _declare(session, table, row, letter, (0, table.game.turn), now)
    return "The turn waits for its deadline."


def set_readiness(table: Table, row: SeatRow, turns: Sequence[int], now: datetime) -> None:
    """Let the seat stand so, by the turns of its last FINAL and WAIT, and the turn follow."""
    row.final_turn, row.wait_turn = turns
    if row.final_turn != table.game.turn:
        table.game.ready_at = None
    elif not waited_for(table):
        table.game.ready_at = now


def _declare(
    session: Session,
    table: Table,
    row: SeatRow,
    letter: InboxLetter,
    turns: Sequence[int],
    now: datetime,
) -> None:
    before = [row.final_turn, row.wait_turn]
    set_readiness(table, row, turns, now)
    undo_log.note(
        session,
        row,
        letter,
        DeedKind.READY,
        "FINAL" if row.final_turn == table.game.turn else "WAIT",
        turn=table.game.turn,
        before=before,
        after=turns,
    )


def waited_for(table: Table) -> list[SeatRow]:
    """Give the held seats that owe orders and have not said FINAL."""
    held = (other for other in table.game.seats if other.person is not None)
    owing = (other for other in held if other.number in table.awaiting)
    return [other for other in owing if other.final_turn != table.game.turn]
