"""Sending circuit breaker: when it tripped and was reset, from the audit log."""

from datetime import datetime, timedelta
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import Row, Select, select
from sqlalchemy.orm import Session

from referee.store.database.base import table
from referee.store.games.audit import AuditEntry

SPAN: Final = timedelta(hours=1)
"""How long the circuit breaker stops sending, unless it is reset before."""
_TRIPPED: Final = "sending was stopped: more letters in an hour than are allowed"
_RESET: Final = "sending was resumed"


class Breaker(NamedTuple):
    """The circuit breaker at a moment."""

    holds_until: datetime | None
    """When sending resumes automatically; None if it is not stopped."""
    counted_from: datetime
    """Since when letters count: within the last hour, and after the last reset."""


def at(session: Session, now: datetime) -> Breaker:
    """Return the circuit breaker now."""
    last = _last(session)
    if last is None:
        return Breaker(None, now - SPAN)
    ends = last.at + SPAN if last.what == _TRIPPED else last.at
    return Breaker(ends if ends > now and last.what == _TRIPPED else None, max(now - SPAN, ends))


def holds_until(session: Session, now: datetime) -> datetime | None:
    """Return when sending resumes automatically, or None if it is not stopped."""
    return at(session, now).holds_until


def trip(session: Session, now: datetime) -> int:
    """Stop sending. Return a number that is equal for all concurrent callers."""
    last = _last(session)
    session.add(AuditEntry(game_id=None, at=now, who="referee", what=_TRIPPED))
    session.flush()
    return 0 if last is None else last.id


def reset(session: Session, now: datetime) -> bool:
    """Resume sending for the operator, and return whether it was stopped."""
    if holds_until(session, now) is None:
        return False
    session.add(AuditEntry(game_id=None, at=now, who="operator", what=_RESET))
    session.flush()
    return True


def keep_held(session: Session, before: datetime, now: datetime) -> None:
    """Adjust the last entry after the clock was set back from *before*, to keep its span."""
    last = _last(session)
    if last is not None and last.at > now:
        session.get_one(AuditEntry, last.id).at -= before - now


def _last(session: Session) -> Row[int, datetime, str] | None:
    """Return the last entry that says that the breaker tripped or was reset, or None."""
    return session.execute(_newest()).first()


@cache
def _newest() -> Select[int, datetime, str]:
    """Build the query for the last entry. Every round of sending needs it."""
    row = table(AuditEntry).c
    query = select(row.id, row.at, row.what).where(row.game_id.is_(None))
    return query.where(row.what.in_((_TRIPPED, _RESET))).order_by(row.id.desc()).limit(1)
