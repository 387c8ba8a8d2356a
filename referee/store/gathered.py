"""Notices that wait for their reader's daily letter."""

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from referee.store.claims import locked
from referee.store.letterbox import GatheredNotice
from referee.store.models import Game, Person, SeatRow


def keep(
    session: Session,
    reader: Person,
    *,
    game: Game | None,
    seat: SeatRow | None,
    kind: str,
    subject: str,
    text: str,
    now: datetime,
    due: datetime,
) -> None:
    """Keep the words of a notice until the daily letter that is due then."""
    session.add(
        GatheredNotice(
            person_id=reader.id,
            game_id=game.id if game is not None else None,
            seat_id=seat.id if seat is not None else None,
            kind=kind,
            subject=subject,
            text=text,
            written_at=now,
            due_at=due,
        )
    )


def is_due(session: Session, now: datetime) -> bool:
    """Say whether a daily letter is due."""
    query = select(GatheredNotice.id).where(GatheredNotice.due_at <= now)
    return session.scalar(query.limit(1)) is not None


def due(session: Session, now: datetime) -> list[GatheredNotice]:
    """Give the notices whose daily letter is due, oldest first."""
    query = select(GatheredNotice).where(GatheredNotice.due_at <= now)
    return list(session.scalars(locked(query.order_by(GatheredNotice.id))))


def release(session: Session, reader: Person, now: datetime) -> None:
    """Let all that waits for a reader be due now."""
    rows = update(GatheredNotice).where(GatheredNotice.person_id == reader.id)
    session.execute(rows.values(due_at=now))
