"""Games whose turn is due, and who can resolve it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import (
    Executable,
    Select,
    bindparam,
    or_,
    select,
)
from sqlalchemy.orm import Session

from referee.store.database.base import table
from referee.store.database.claims import lease_clock, taking, unclaimed
from referee.store.models import Game, GameStatus


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


def games_due_after(session: Session, moment: datetime) -> list[Game]:
    """Return the running games with a deadline after *moment*, oldest game first."""
    query = select(Game).where(Game.status == GameStatus.RUNNING, Game.deadline_at > moment)
    return list(session.scalars(query.order_by(Game.id)))
