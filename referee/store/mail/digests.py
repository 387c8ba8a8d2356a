"""Notices that wait for their reader's daily digest, and letters that are owed."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Final

from sqlalchemy import ForeignKey, Select, bindparam, delete, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base
from referee.store.database.claims import locked
from referee.store.models import Game, Person, SeatRow


class PendingNotice(Base):
    """A notice that can wait, kept for its reader's daily digest, or an owed letter."""

    __tablename__ = "pending_notices"
    # A daily digest is named by its first notice, so ids are never reused.
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"))
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seats.id", ondelete="SET NULL"))
    kind: Mapped[str]
    subject: Mapped[str]
    text: Mapped[str]
    html: Mapped[str] = mapped_column(default="")
    """The text as HTML; "" if it was kept before there was any."""
    written_at: Mapped[datetime]
    due_at: Mapped[datetime] = mapped_column(index=True)


class OwedKind(Enum):
    """The kinds of letters that are made when they are due, outside the loop, from no words."""

    ATLAS = "owed atlas"
    REPORT = "owed report"


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a notice: when it is written, and when it is due."""

    now: datetime
    due: datetime


_IS_OWED: Final = PendingNotice.kind.in_([kind.value for kind in OwedKind])


def keep(
    session: Session,
    reader: Person,
    *,
    game: Game | None,
    seat: SeatRow | None,
    kind: str,
    subject: str,
    text: str,
    html: str,
    now: datetime,
    due: datetime,
) -> None:
    """Keep the words of a notice for the daily digest that is due at *due*."""
    session.add(
        PendingNotice(
            person_id=reader.id,
            game_id=game.id if game is not None else None,
            seat_id=seat.id if seat is not None else None,
            kind=kind,
            subject=subject,
            text=text,
            html=html,
            written_at=now,
            due_at=due,
        )
    )


def gather(session: Session, reader: Person, kind: str, due: datetime) -> None:
    """Make all waiting notices of a kind to a reader due at *due*, so that they share a letter."""
    session.flush()
    rows = update(PendingNotice).where(PendingNotice.person_id == reader.id)
    session.execute(rows.where(PendingNotice.kind == kind).values(due_at=due))


def about(game: Game) -> str:
    """Return the mark of the current turn of a game, which a rollback changes."""
    return f"turn {game.turn} after {game.rollbacks} rollbacks"


def owe(session: Session, seat: SeatRow, reader: int, kind: OwedKind, times: Times) -> None:
    """Owe a letter about a seat's turn to its player or deputy, unless it is owed already."""
    words = {"subject": about(seat.game), "text": "", "kind": kind.value}
    known = select(PendingNotice.id).where(
        PendingNotice.person_id == reader,
        PendingNotice.seat_id == seat.id,
        PendingNotice.kind == kind.value,
        PendingNotice.subject == words["subject"],
    )
    if session.scalar(known) is None:
        about_seat = {"person_id": reader, "game_id": seat.game_id, "seat_id": seat.id}
        session.add(PendingNotice(**about_seat, **words, written_at=times.now, due_at=times.due))


def owed(session: Session, now: datetime) -> list[PendingNotice]:
    """Return the owed letters that are due, oldest first."""
    query = select(PendingNotice).where(PendingNotice.due_at <= now, _IS_OWED)
    return sorted(session.scalars(query), key=lambda notice: notice.id)


def put_off(session: Session, number: int, now: datetime, until: datetime) -> bool:
    """Make a notice that is due at *now* due later; return whether it was due."""
    rows = update(PendingNotice).where(PendingNotice.id == number, PendingNotice.due_at <= now)
    found = session.scalar(rows.values(due_at=until).returning(PendingNotice.id))
    return found is not None


def drop(session: Session, number: int) -> None:
    """Delete a notice, if it is still there."""
    session.execute(delete(PendingNotice).where(PendingNotice.id == number))


def is_due(session: Session, now: datetime) -> bool:
    """Return whether a daily digest is due."""
    return session.scalar(_first_due(), {"now": now}) is not None


def due(session: Session, now: datetime) -> list[PendingNotice]:
    """Return the notices whose daily digest is due, oldest first, locked."""
    query = select(PendingNotice).where(PendingNotice.due_at <= now, ~_IS_OWED)
    # Sorted here, because the order of ids would tempt the database to read the whole table.
    return sorted(session.scalars(locked(query)), key=lambda notice: notice.id)


def release(session: Session, reader: Person, now: datetime) -> None:
    """Make all waiting notices of a reader due now."""
    rows = update(PendingNotice).where(PendingNotice.person_id == reader.id)
    session.execute(rows.values(due_at=now))


@cache
def _first_due() -> Select[int]:
    """Build the query for a notice that is due. Every round of the loop needs it."""
    is_due = PendingNotice.due_at <= bindparam("now")
    return select(PendingNotice.id).where(is_due, ~_IS_OWED).limit(1)
