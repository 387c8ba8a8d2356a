"""The next due time in any game, so that the loop does not have to poll."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from sqlalchemy import CompoundSelect, Select, func, select, union_all
from sqlalchemy.orm import InstrumentedAttribute, Session

from referee.store.games import due_games, press, votes
from referee.store.games.agenda import AgendaEntry, AgendaTopic
from referee.store.games.press import Press
from referee.store.models import Game, GameStatus
from referee.store.people.absences import Absence
from referee.store.people.address_changes import AddressChange, ChangeState


def next_moment(session: Session) -> datetime | None:
    """Return the first moment at which something is due; in the past if it still waits."""
    moments = [*session.scalars(_moments_but_deadlines()), due_games.next_deadline(session)]
    return min((moment for moment in moments if moment is not None), default=None)


def is_quiet(session: Session, now: datetime) -> bool:
    """Return whether certainly nothing is due by *now*, after one short query.

    A deadline counts without its grace, so False means that ``next_moment`` has to be asked.
    """
    moments = session.scalars(_all_moments())
    return all(moment is None or moment > now for moment in moments)


def next_closing(session: Session) -> datetime | None:
    """Return the next moment whose outcome depends on the letters received before it."""
    moments = (due_games.next_deadline(session), votes.next_close(session), press.next_due(session))
    return min((moment for moment in moments if moment is not None), default=None)


def games_due_after(session: Session, moment: datetime) -> list[Game]:
    """Return the running games with a deadline after *moment*, oldest game first."""
    query = select(Game).where(Game.status == GameStatus.RUNNING, Game.deadline_at > moment)
    return list(session.scalars(query.order_by(Game.id)))


def next_leaving(session: Session, after: datetime) -> datetime | None:
    """Return the start of the next absence after *after* whose player was not reminded."""
    query = select(func.min(Absence.begins_at))
    return session.scalar(query.where(~Absence.reminded, Absence.begins_at > after))


@cache
def _moments_but_deadlines() -> CompoundSelect[datetime | None]:
    return union_all(*_first_of_each())


@cache
def _all_moments() -> CompoundSelect[datetime | None]:
    deadlines = map(_first_in_running_games, (Game.deadline_at, Game.ready_at))
    return union_all(*_first_of_each(), *deadlines)


def _first_of_each() -> Sequence[Select[datetime | None]]:
    """Build the queries for the first due time of each kind but deadlines."""
    waiting = AddressChange.state == ChangeState.WAITING
    return (
        *(
            select(func.min(AgendaEntry.at)).where(AgendaEntry.topic == matter)
            for matter in AgendaTopic
        ),
        _first_in_running_games(Game.remind_at),
        select(func.min(Press.due_at)).where(Press.delivered_turn.is_(None)),
        select(func.min(AddressChange.expires_at)).where(waiting),
    )


def _first_in_running_games(
    moment: InstrumentedAttribute[datetime | None],
) -> Select[datetime | None]:
    return select(func.min(moment)).where(Game.status == GameStatus.RUNNING)
