"""The brake on sending: when it was pulled and let go, as the audit log tells."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from referee.store.games.audit import AuditEntry

SPAN: Final = timedelta(hours=1)
"""How long the brake holds when nobody lets it go."""
_PULLED: Final = "sending was stopped: more letters in an hour than are allowed"
_LET_GO: Final = "sending was resumed"


def holds_until(session: Session, now: datetime) -> datetime | None:
    """Return when sending goes on by itself; None while nothing holds it."""
    last = _last(session)
    if last is None or last.what != _PULLED or last.at + SPAN <= now:
        return None
    return last.at + SPAN


def counted_from(session: Session, now: datetime) -> datetime:
    """Return since when letters count: within the last hour, and not before the brake was let
    go."""
    last = _last(session)
    begin = now - SPAN
    if last is None:
        return begin
    return max(begin, last.at + SPAN if last.what == _PULLED else last.at)


def trip(session: Session, now: datetime) -> int:
    """Stop sending; give a number that is the same for all who pull at the same moment."""
    last = _last(session)
    session.add(AuditEntry(game_id=None, at=now, who="referee", what=_PULLED))
    session.flush()
    return 0 if last is None else last.id


def reset(session: Session, now: datetime) -> bool:
    """Let sending go on, as the operator wishes, and return whether it was stopped."""
    if holds_until(session, now) is None:
        return False
    session.add(AuditEntry(game_id=None, at=now, who="operator", what=_LET_GO))
    session.flush()
    return True


def keep_held(session: Session, before: datetime, now: datetime) -> None:
    """Let it hold, or count, as long as by a clock that said *before* and was set back."""
    last = _last(session)
    if last is not None and last.at > now:
        last.at -= before - now


def _last(session: Session) -> AuditEntry | None:
    query = select(AuditEntry).where(AuditEntry.game_id.is_(None))
    query = query.where(AuditEntry.what.in_((_PULLED, _LET_GO)))
    return session.scalar(query.order_by(AuditEntry.id.desc()).limit(1))
