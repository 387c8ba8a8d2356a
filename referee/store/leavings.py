"""Those who have left a game that had begun, in the store."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from referee.store.models import Game, Person, SeatRow
from referee.store.rollcall import LeaveReason, Leaving


def note(
    session: Session,
    game: Game,
    person: Person,
    reason: LeaveReason,
    now: datetime,
    seat: SeatRow | None = None,
) -> None:
    """Write down that somebody has left: *seat* is the one he held, None for a GM."""
    session.add(
        Leaving(
            game_id=game.id,
            person_id=person.id,
            seat_id=seat.id if seat is not None else None,
            reason=reason,
            at=now,
        )
    )


def of(session: Session, game: Game, person: Person) -> list[Leaving]:
    """Give how often and why the person has left the game, first to last."""
    query = select(Leaving).where(Leaving.game_id == game.id, Leaving.person_id == person.id)
    return list(session.scalars(query.order_by(Leaving.id)))
