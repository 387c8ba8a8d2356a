"""Attendance in the store: how players met the deadlines of the turns that count."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from itertools import takewhile

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from referee.domain.reliability import Punctuality
from referee.store.models import InboxLetter, SeatRow, Sheet
from referee.store.rollcall import Attendance


def note(session: Session, seat: SeatRow, turn: int, punctuality: Punctuality) -> None:
    """Write down how the holder of the seat met the deadline of *turn*."""
    session.add(
        Attendance(seat_id=seat.id, person_id=seat.person_id, turn=turn, punctuality=punctuality)
    )


def arrivals(session: Session, seat: SeatRow, turn: int) -> list[datetime]:
    """Give when the sheets for *turn* reached us that came since its player holds the seat."""
    query = (
        select(InboxLetter.arrived_at)
        .join(Sheet, Sheet.letter_id == InboxLetter.id)
        .where(Sheet.seat_id == seat.id, Sheet.turn == turn, Sheet.undone == 0)
        .where(InboxLetter.arrived_at >= seat.joined_at)
    )
    return list(session.scalars(query))


def of_people(session: Session, people: Collection[int]) -> Mapping[int, Mapping[Punctuality, int]]:
    """Give for each of the people, by their ids, how many turns of all his games went how."""
    query = (
        select(Attendance.person_id, Attendance.punctuality, func.count())
        .where(Attendance.person_id.in_(people), Attendance.undone == 0)
        .group_by(Attendance.person_id, Attendance.punctuality)
    )
    counts: dict[int, dict[Punctuality, int]] = defaultdict(dict)
    for person, punctuality, count in session.execute(query):
        counts[person][punctuality] = count
    return counts


def undo(session: Session, seat: SeatRow, turn: int, rollback: int) -> int:
    """Let what happened from *turn* on count no more; give how many turns were missed in it."""
    query = _rows_of(seat).where(Attendance.turn >= turn)
    undone = list(session.scalars(query))
    for row in undone:
        row.undone = rollback
    session.flush()
    return sum(row.punctuality is Punctuality.MISSED for row in undone)


def missed_in_a_row(session: Session, seat: SeatRow) -> int:
    """Give how many of the last turns in which it owed orders the seat's present player missed."""
    rows = session.scalars(
        _rows_of(seat)
        .where(Attendance.person_id == seat.person_id)
        .order_by(Attendance.turn.desc())
    )
    return len(list(takewhile(lambda row: row.punctuality is Punctuality.MISSED, rows)))


def _rows_of(seat: SeatRow) -> Select[Attendance]:
    return select(Attendance).where(Attendance.seat_id == seat.id, Attendance.undone == 0)
