"""When something falls due next in any game, so that nobody has to look again and again."""

from datetime import datetime
from functools import cache

from sqlalchemy import CompoundSelect, func, select, union_all
from sqlalchemy.orm import Session

from referee.store.games import games, press, votes
from referee.store.games.agenda import AgendaEntry, AgendaTopic
from referee.store.games.press import Press
from referee.store.models import Game, GameStatus
from referee.store.people.absences import Absence
from referee.store.people.address_changes import AddressChange, ChangeState


def next_moment(session: Session) -> datetime | None:
    """Return the first moment at which something is due; in the past if it still waits."""
    moments = [*session.scalars(_first_of_each()), games.next_deadline(session)]
    return min((moment for moment in moments if moment is not None), default=None)


def next_closing(session: Session) -> datetime | None:
    """Return the first moment by which letters have to be here that may change what happens."""
    moments = (games.next_deadline(session), votes.next_close(session), press.next_due(session))
    return min((moment for moment in moments if moment is not None), default=None)


def next_leaving(session: Session, after: datetime) -> datetime | None:
    """Return when the next player leaves, later than *after*, who was not reminded of it."""
    query = select(func.min(Absence.begins_at))
    return session.scalar(query.where(~Absence.reminded, Absence.begins_at > after))


@cache
def _first_of_each() -> CompoundSelect[datetime | None]:
    """Build one query for the first moments of all that is looked at by the clock."""
    waiting = AddressChange.state == ChangeState.WAITING
    return union_all(
        *(
            select(func.min(AgendaEntry.at)).where(AgendaEntry.matter == matter)
            for matter in AgendaTopic
        ),
        select(func.min(Game.remind_at)).where(Game.status == GameStatus.RUNNING),
        select(func.min(Press.due_at)).where(Press.delivered_turn.is_(None)),
        select(func.min(AddressChange.expires_at)).where(waiting),
    )
