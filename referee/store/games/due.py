"""The next due time in any game, so that the loop does not have to poll."""

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
    """Return the next moment whose outcome depends on the letters received before it."""
    moments = (games.next_deadline(session), votes.next_close(session), press.next_due(session))
    return min((moment for moment in moments if moment is not None), default=None)


def next_leaving(session: Session, after: datetime) -> datetime | None:
    """Return the start of the next absence after *after* whose player was not reminded."""
    query = select(func.min(Absence.begins_at))
    return session.scalar(query.where(~Absence.reminded, Absence.begins_at > after))


@cache
def _first_of_each() -> CompoundSelect[datetime | None]:
    """Build one query for the first due time of each kind."""
    waiting = AddressChange.state == ChangeState.WAITING
    return union_all(
        *(
            select(func.min(AgendaEntry.at)).where(AgendaEntry.topic == matter)
            for matter in AgendaTopic
        ),
        select(func.min(Game.remind_at)).where(Game.status == GameStatus.RUNNING),
        select(func.min(Press.due_at)).where(Press.delivered_turn.is_(None)),
        select(func.min(AddressChange.expires_at)).where(waiting),
    )
