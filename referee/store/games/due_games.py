"""Games whose turn is due, who can resolve it, and the next due time in any game."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Executable,
    Select,
    bindparam,
    func,
    or_,
    select,
    union_all,
)
from sqlalchemy.orm import InstrumentedAttribute, Session

from referee.store.database.base import table
from referee.store.database.claims import lease_clock, taking, unclaimed
from referee.store.games import due_games, press, votes
from referee.store.games.agenda import AgendaEntry, AgendaTopic
from referee.store.games.press import Press
from referee.store.models import Game, GameStatus
from referee.store.people.absences import Absence
from referee.store.people.address_changes import AddressChange, ChangeState


@dataclass(frozen=True, slots=True)
class Watermark:
    """How far the letters have been received and read that a turn could wait for.

    A deadline with its grace is over only if it is not after *closed*; None allows any. That is so
    too of the end of a turn in which everybody is ready. It also waits for every unread letter,
    because one could say WAIT.
    """

    closed: datetime | None = None
    is_all_read: bool = True


ALL_IS_READ = Watermark()


def next_deadline(session: Session) -> datetime | None:
    """Return when the next turn of a running game is due, including retry times, or None."""
    moments = session.scalars(_turns())
    return min((moment for moment in moments if moment is not None), default=None)


def due(
    session: Session, now: datetime, watermark: Watermark = ALL_IS_READ
) -> Mapping[int, datetime]:
    """Return the due times of the running games that are due at *now*, longest due first.

    A game is due when its turn closes, or when it need not wait for anyone, if the *watermark*
    allows it. A game that waits to be retried is not due.
    """
    found: dict[int, datetime] = {}
    is_free = or_(Game.stalled_until.is_(None), Game.stalled_until <= now)
    # Two queries, because each has its index.
    for until in (Game.closes_at, Game.ready_at):
        query = select(Game.id, Game.closes_at, Game.ready_at)
        query = query.where(Game.status == GameStatus.RUNNING, until <= now, is_free)
        for number, closes, ready in session.execute(query):
            moment = _moment(closes, ready, watermark)
            if moment is not None and moment <= now:
                found[number] = moment
    return dict(sorted(found.items(), key=lambda each: (each[1], each[0])))


def claim_if_due(
    session: Session,
    number: int,
    owner: str,
    now: datetime,
    lease: timedelta,
    watermark: Watermark = ALL_IS_READ,
) -> int | None:
    """Claim a game that was found due, and return its fencing token.

    Returns None if another owner holds it or it is no longer due.
    """
    clock = lease_clock(session, now)
    found = session.execute(_terms(), {"game": number, "clock": clock}).one_or_none()
    if found is None:
        return None
    # Another worker may have adjudicated it before this transaction locked it.
    moment = _moment(found.closes_at, found.ready_at, watermark)
    if moment is None or moment > now:
        return None
    claim = {"game": number, "claimant": owner, "until": clock + lease}
    fence: int = session.scalars(_claiming(), claim).one()
    return fence


@cache
def _terms() -> Select[datetime | None, datetime | None]:
    """Build the query that locks a running, unclaimed game and reads its due times."""
    running = Game.id == bindparam("game"), Game.status == GameStatus.RUNNING
    query = select(Game.closes_at, Game.ready_at).where(*running)
    return query.where(unclaimed(Game, bindparam("clock"))).with_for_update(skip_locked=True)


@cache
def _claiming() -> Executable:
    """Build the statement that claims the locked game, without ORM objects."""
    return taking(Game, Game.id == bindparam("game")).returning(table(Game).c.fence)


def _moment(
    closes: datetime | None, ready: datetime | None, watermark: Watermark
) -> datetime | None:
    if not _is_closed(closes, watermark):
        closes = None
    if not watermark.is_all_read or not _is_closed(ready, watermark):
        ready = None
    return min((moment for moment in (closes, ready) if moment is not None), default=None)


def _is_closed(moment: datetime | None, watermark: Watermark) -> bool:
    """Return whether every letter that reached us before *moment* is stored."""
    return moment is None or watermark.closed is None or moment <= watermark.closed


def next_moment(session: Session) -> datetime | None:
    """Return the first moment at which something is due; in the past if it still waits."""
    moments = session.scalars(_all_moments())
    return min((moment for moment in moments if moment is not None), default=None)


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
def _turns() -> CompoundSelect[datetime | None]:
    """Build the queries for the first moments at which a turn is due or tried again."""
    ends = (Game.closes_at, Game.ready_at)
    free = ((end, or_(Game.stalled_until.is_(None), Game.stalled_until < end)) for end in ends)
    stalled = Game.stalled_until, or_(*(end <= Game.stalled_until for end in ends))
    return union_all(*(_first_in_running_games(*each) for each in (*free, stalled)))


@cache
def _all_moments() -> CompoundSelect[datetime | None]:
    """Build the queries for the first due time of each kind."""
    waiting = AddressChange.state == ChangeState.WAITING
    return union_all(
        *(
            select(func.min(AgendaEntry.at)).where(AgendaEntry.topic == matter)
            for matter in AgendaTopic
        ),
        *_turns().selects,
        _first_in_running_games(Game.remind_at),
        select(func.min(Press.due_at)).where(Press.delivered_turn.is_(None)),
        select(func.min(AddressChange.expires_at)).where(waiting),
    )


def _first_in_running_games(
    moment: InstrumentedAttribute[datetime | None], *conditions: ColumnElement[bool]
) -> Select[datetime | None]:
    return select(func.min(moment)).where(Game.status == GameStatus.RUNNING, *conditions)
