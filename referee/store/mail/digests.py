"""Notices that wait for their reader's daily digest."""

from datetime import datetime
from functools import cache

from sqlalchemy import ForeignKey, Select, bindparam, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base
from referee.store.database.claims import locked
from referee.store.models import Game, Person, SeatRow


class PendingNotice(Base):
    """A notice that can wait, kept for its reader's daily digest."""

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


def is_due(session: Session, now: datetime) -> bool:
    """Return whether a daily digest is due."""
    return session.scalar(_first_due(), {"now": now}) is not None


def due(session: Session, now: datetime) -> list[PendingNotice]:
    """Return the notices whose daily digest is due, oldest first, locked."""
    query = select(PendingNotice).where(PendingNotice.due_at <= now)
    # Sorted here, because the order of ids would tempt the database to read the whole table.
    return sorted(session.scalars(locked(query)), key=lambda notice: notice.id)


def release(session: Session, reader: Person, now: datetime) -> None:
    """Make all waiting notices of a reader due now."""
    rows = update(PendingNotice).where(PendingNotice.person_id == reader.id)
    session.execute(rows.values(due_at=now))


@cache
def _first_due() -> Select[int]:
    """Build the query for a notice that is due. Every round of the loop needs it."""
    return select(PendingNotice.id).where(PendingNotice.due_at <= bindparam("now")).limit(1)
