"""Order sheets are filed: each letter's as one revision, which counts until the next one."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Executable, Select, bindparam, func, insert, select
from sqlalchemy.orm import Session

from referee.store import agenda
from referee.store.dialect import is_postgres, table
from referee.store.models import Game, InboxLetter, SeatRow, Sheet

_SHEETS = table(Sheet)
_OF_SEAT = (
    _SHEETS.c.seat_id == bindparam("seat"),
    _SHEETS.c.turn == bindparam("turn"),
    _SHEETS.c.undone == 0,
)
_OF_LETTER = _SHEETS.c.letter_id == bindparam("letter")


def file_sheet(
    session: Session,
    seat: SeatRow,
    turn: int,
    letter: InboxLetter,
    orders: Sequence[str],
    now: datetime,
) -> Sheet:
    """File the orders as the newest revision; the same letter again gives what it filed first.

    Filing waits for whoever adjudicates the game at this moment. Only one sheet comes of a letter
    for a turn.
    """
    if is_postgres(session):
        # On SQLite nobody else has written since this transaction began.
        session.scalars(select(Game.id).where(Game.id == seat.game_id).with_for_update()).one()
    if seat.offered_at is not None:
        # Its player may just have come back.
        agenda.stir(session, [seat.game_id])
    of_letter = {"seat": seat.id, "turn": turn, "letter": letter.id}
    filed = session.scalar(_filing(), of_letter | {"orders": list(orders), "moment": now})
    return session.scalars(_filed(), of_letter).one() if filed is None else filed


@cache
def _filing() -> Executable:
    """Give what files the next revision, unless the letter has filed one; every letter needs it.

    Nobody else looks at a new sheet before it is stored, so it is not made as an object first.
    """
    columns = _SHEETS.c
    values: dict[str, ColumnElement[Any]] = {
        "seat_id": bindparam("seat", type_=columns.seat_id.type),
        "turn": bindparam("turn", type_=columns.turn.type),
        "revision": func.coalesce(func.max(columns.revision), 0) + 1,
        "letter_id": bindparam("letter", type_=columns.letter_id.type),
        "orders": bindparam("orders", type_=columns.orders.type),
        "filed_at": bindparam("moment", type_=columns.filed_at.type),
    }
    next_one = select(*values.values()).where(*_OF_SEAT)
    next_one = next_one.having(func.count().filter(_OF_LETTER) == 0)
    filing = insert(_SHEETS).from_select(list(values), next_one).returning(_SHEETS)
    return select(Sheet).from_statement(filing)


@cache
def _filed() -> Select[Sheet]:
    return select(Sheet).where(*_OF_SEAT, _OF_LETTER)
