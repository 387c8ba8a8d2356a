"""Seats that are looked up once for letters that are read one after the other in one transaction.

Seats, their holders, games and GMs are written as objects of the session and in no other way, so
those that were loaded tell the truth as long as the session has nothing to write.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from sqlalchemy import ColumnElement, Select, bindparam, event, select
from sqlalchemy.orm import Session, UOWTransaction, joinedload

from referee.store.models import Game, SeatRow

_HAND: Final = "seats at hand"


@dataclass(frozen=True, slots=True)
class _Hand:
    """Seats by their ids, and how many objects there are with all that belongs to them."""

    seats: Mapping[int, SeatRow]
    objects: int


def look_up(session: Session, numbers: Collection[int]) -> None:
    """Look up the seats with these ids, each with holder, game and its GMs."""
    found = session.scalars(_seats(), {"seats": list(numbers)}).unique()
    seats = {seat.id: seat for seat in found}
    session.info[_HAND] = _Hand(seats, len(session.identity_map))


def seat(session: Session, number: int) -> SeatRow | None:
    """Give the seat with this id if it is at hand."""
    hand = session.info.get(_HAND)
    return hand.seats.get(number) if hand is not None else None


def begin_anew(session: Session) -> None:
    """Let what follows find all that was written, as if it had been committed.

    What is at hand stays there if nothing of it was changed, and no other objects were looked at.
    """
    session.flush()
    hand = session.info.get(_HAND)
    if hand is None or len(session.identity_map) != hand.objects:
        session.info.pop(_HAND, None)
        session.expunge_all()


@event.listens_for(Session, "after_flush")
def _let_go(session: Session, _work: UOWTransaction) -> None:
    session.info.pop(_HAND, None)


def whole(which: ColumnElement[bool]) -> Select[SeatRow]:
    """Give what asks for seats, each with holder, game and its GMs."""
    game = joinedload(SeatRow.game).joinedload(Game.masters)
    return select(SeatRow).where(which).options(game, joinedload(SeatRow.person))


@cache
def _seats() -> Select[SeatRow]:
    return whole(SeatRow.id.in_(bindparam("seats", expanding=True)))
