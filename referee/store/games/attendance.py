"""Attendance: how players met the deadlines of the turns in effect."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import takewhile

from sqlalchemy import ForeignKey, Select, UniqueConstraint, bindparam, func, insert, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.domain.reliability import OF_SEAT, Punctuality
from referee.store.database.base import Base, enum_of, table
from referee.store.models import Game, GameStatus, InboxLetter, Person, SeatRow, Sheet


class Attendance(Base):
    """How a player met the deadline of one turn."""

    __tablename__ = "attendances"
    __table_args__ = (UniqueConstraint("seat_id", "turn", "undone"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    turn: Mapped[int]
    round: Mapped[int]
    """The round of which the turn is a part; a game without rounds has one a turn."""
    punctuality: Mapped[Punctuality] = mapped_column(enum_of(Punctuality))
    undone: Mapped[int] = mapped_column(default=0)
    """The number of the rollback that undid the turn; 0 while it is valid."""


@dataclass(frozen=True, slots=True)
class Met:
    """How the holder of a seat met a deadline."""

    seat: SeatRow
    punctuality: Punctuality


def note(session: Session, turn: int, roll: Sequence[Met], round_: int = 0) -> None:
    """Record how every holder on the roll met the deadline of *turn*, a part of *round_* or all."""
    rows = [
        {
            "seat_id": met.seat.id,
            "person_id": met.seat.person_id,
            "turn": turn,
            "round": round_ or turn,
            "punctuality": met.punctuality,
        }
        for met in roll
    ]
    if rows:
        session.execute(insert(table(Attendance)), rows)


def arrivals(session: Session, game: Game) -> Mapping[int, Sequence[datetime]]:
    """Return the arrival times of the sheets for the current turn, by seat id.

    Sheets from before the present player joined are left out.
    """
    found: dict[int, list[datetime]] = defaultdict(list)
    for seat, moment in session.execute(_arrivals(), {"game": game.id, "turn": game.turn}):
        found[seat].append(moment)
    return found


@dataclass(frozen=True, slots=True)
class Stint:
    """The first and the last turn of which a person met or missed the deadline in a seat."""

    seat: int
    """The id of the seat."""
    person: Person
    first: int
    last: int


def stints(session: Session, game: Game) -> list[Stint]:
    """Return who played the seats of a game, the earliest first. People who are forgotten left."""
    first, last = func.min(Attendance.turn), func.max(Attendance.turn)
    query = (
        select(Attendance.seat_id, Person, first, last)
        .join(SeatRow, SeatRow.id == Attendance.seat_id)
        .join(Person, Person.id == Attendance.person_id)
        .where(SeatRow.game_id == game.id, Attendance.undone == 0)
        .group_by(Attendance.seat_id, Person.id)
        .order_by(first, Person.id)
    )
    return [Stint(*row) for row in session.execute(query)]


def of_people(
    session: Session, people: Collection[int], running: Collection[int] | None
) -> Mapping[int, Mapping[Punctuality, int]]:
    """Return the number of turns by punctuality, for each person id.

    Games that have ended count, and of the others those whose ids are in *running*; None means all.
    """
    query = (
        select(Attendance.person_id, Attendance.punctuality, func.count())
        .where(Attendance.person_id.in_(people), Attendance.undone == 0)
        .group_by(Attendance.person_id, Attendance.punctuality)
    )
    if running is not None:
        counts_for = or_(Game.status == GameStatus.ENDED, Game.id.in_(running))
        query = query.join(SeatRow, SeatRow.id == Attendance.seat_id).join(Game).where(counts_for)
    counts: dict[int, dict[Punctuality, int]] = defaultdict(dict)
    for person, punctuality, count in session.execute(query):
        counts[person][punctuality] = count
    return counts


def of_turn(session: Session, game: Game, turn: int) -> Mapping[int, Punctuality]:
    """Return how the seats of a game met the deadline of a turn, by seat id."""
    query = select(Attendance.seat_id, Attendance.punctuality).join(SeatRow)
    query = query.where(SeatRow.game_id == game.id, Attendance.turn == turn)
    found = session.execute(query.where(Attendance.undone == 0))
    return {seat: punctuality for seat, punctuality in found}  # noqa: C416 - rows are no pairs


def undo(session: Session, seat: SeatRow, turn: int, rollback: int) -> int:
    """Undo the attendance from *turn* on; return the number of missed turns among it."""
    query = _rows_of(seat).where(Attendance.turn >= turn)
    undone = list(session.scalars(query))
    for row in undone:
        row.undone = rollback
    session.flush()
    return sum(row.punctuality in OF_SEAT for row in undone)


def last_round(session: Session, seat: SeatRow) -> int | None:
    """Return the last round with a deadline that the seat met or missed, or None."""
    query = select(Attendance.round).where(Attendance.seat_id == seat.id, Attendance.undone == 0)
    return session.scalar(query.order_by(Attendance.turn.desc()).limit(1))


def missed_in_a_row(session: Session, seat: SeatRow) -> int:
    """Return how many turns in a row the seat's present player has missed last.

    Turns in which the seat needed no orders do not count, and those of one round count once.
    """
    rows = session.scalars(
        _rows_of(seat)
        .where(Attendance.person_id == seat.person_id)
        .order_by(Attendance.turn.desc())
    )
    missed = takewhile(lambda row: row.punctuality in OF_SEAT, rows)
    return len({row.round for row in missed})


@cache
def _arrivals() -> Select[int, datetime]:
    of_game = SeatRow.game_id == bindparam("game"), Sheet.turn == bindparam("turn")
    return (
        select(Sheet.seat_id, InboxLetter.arrived_at)
        .join(InboxLetter, InboxLetter.id == Sheet.letter_id)
        .join(SeatRow, SeatRow.id == Sheet.seat_id)
        .where(*of_game, Sheet.undone == 0, InboxLetter.arrived_at >= SeatRow.joined_at)
        .where(Sheet.by_gm.is_(False))
    )


def _rows_of(seat: SeatRow) -> Select[Attendance]:
    return select(Attendance).where(Attendance.seat_id == seat.id, Attendance.undone == 0)
