"""Order sheets: each letter files one revision, which is valid until the next one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, insert, select
from sqlalchemy.orm import Session
from sqlalchemy.sql.dml import ReturningInsert

from referee.store.database.base import is_postgres, table
from referee.store.games import agenda
from referee.store.games.reminders import check_reminders
from referee.store.models import Game, InboxLetter, SeatRow, Sheet

_SHEETS = table(Sheet)
_OF_SEAT = (
    _SHEETS.c.seat_id == bindparam("seat"),
    _SHEETS.c.turn == bindparam("turn"),
    _SHEETS.c.undone == 0,
)
_OF_LETTER = _SHEETS.c.letter_id == bindparam("letter")
_FILED = [_SHEETS.c[name] for name in ("id", "revision", "orders", "withdrawn", "restores_id")]


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision that a letter filed; *restores* is the revision it puts into effect again."""

    number: int
    revision: int
    orders: Sequence[str]
    withdrawn: bool
    restores: int | None


def file_sheet(
    session: Session,
    seat: SeatRow,
    turn: int,
    letter: InboxLetter,
    orders: Sequence[str],
    now: datetime,
    *,
    by_gm: bool = False,
) -> Revision:
    """File the orders as the newest revision. Idempotent per letter and turn.

    Waits while another transaction adjudicates the game.
    """
    if is_postgres(session):
        # On SQLite no other transaction has written since this one began.
        session.scalars(select(Game.id).where(Game.id == seat.game_id).with_for_update()).one()
    if seat.offered_at is not None:
        # Its player may have just returned.
        agenda.schedule(session, seat.game)
    of_letter = {"seat": seat.id, "turn": turn, "letter": letter.id}
    # Changes of other sheets in this transaction must count.
    session.flush()
    sheet = of_letter | {"orders": list(orders), "moment": now, "by_gm": by_gm}
    filed = session.execute(_filing(), sheet).first()
    return Revision(*(filed or session.execute(_filed(), of_letter).one()))


def amend(
    session: Session,
    filed: Revision,
    orders: Sequence[str],
    *,
    withdrawn: bool,
    restores: Sheet | None = None,
) -> Revision:
    """Replace the orders of a revision, and return it as changed."""
    sheet = session.get_one(Sheet, filed.number)
    sheet.orders, sheet.withdrawn, sheet.restores = list(orders), withdrawn, restores
    if restores is not None:
        sheet.by_gm = restores.by_gm
    if withdrawn:
        # The player may need another reminder.
        check_reminders(session.get_one(SeatRow, sheet.seat_id).game)
    number = restores.id if restores is not None else None
    return replace(filed, orders=sheet.orders, withdrawn=withdrawn, restores=number)


@cache
def _filing() -> ReturningInsert[Any]:
    """Build the statement that files the next revision, unless the letter has filed one."""
    columns = _SHEETS.c
    values: dict[str, ColumnElement[Any]] = {
        "seat_id": bindparam("seat", type_=columns.seat_id.type),
        "turn": bindparam("turn", type_=columns.turn.type),
        "revision": func.coalesce(func.max(columns.revision), 0) + 1,
        "letter_id": bindparam("letter", type_=columns.letter_id.type),
        "orders": bindparam("orders", type_=columns.orders.type),
        "filed_at": bindparam("moment", type_=columns.filed_at.type),
        "by_gm": bindparam("by_gm", type_=columns.by_gm.type),
    }
    next_one = select(*values.values()).where(*_OF_SEAT)
    next_one = next_one.having(func.count().filter(_OF_LETTER) == 0)
    return insert(_SHEETS).from_select(list(values), next_one).returning(*_FILED)


@cache
def _filed() -> Select[Any]:
    return select(*_FILED).where(*_OF_SEAT, _OF_LETTER)
