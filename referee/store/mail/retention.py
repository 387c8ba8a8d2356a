"""Retention: deletion of old letters without a game and of old counters."""

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Select, delete, select, update
from sqlalchemy.orm import Session

from referee.domain.retention import Retention
from referee.store.mail.rate_limits import ReplyCount, WrongCode
from referee.store.models import InboxLetter, InboxState, OutboxLetter, OutboxState

AT_ONCE: Final = 200
"""The maximum number of rows in one transaction."""
COUNTED: Final = timedelta(days=2)
"""No budget looks back further than a day."""


def forget_counts(session: Session, now: datetime) -> int:
    """Delete some counters that no budget needs now, and return their number."""
    return sum(_deleted(session, kind, now - COUNTED) for kind in (ReplyCount, WrongCode))


def adopt_letters(session: Session, retention: Retention, now: datetime) -> int:
    """Assign some old letters to the game they created or joined, and return their number.

    Such a letter came before its game was known, but our answer names the game.
    """
    if retention.strangers is None:
        return 0
    answers = OutboxLetter.answers_id == InboxLetter.id, OutboxLetter.game_id.is_not(None)
    whole = InboxLetter.game_id.is_(None), InboxLetter.emptied_at.is_(None)
    old = InboxLetter.state == InboxState.READ, InboxLetter.read_at <= now - retention.strangers
    answered = select(OutboxLetter.id).where(*answers).exists()
    numbers = _some(session, select(InboxLetter.id).where(*whole, *old, answered))
    game = select(OutboxLetter.game_id).where(*answers).limit(1).scalar_subquery()
    adopted = update(InboxLetter).where(InboxLetter.id.in_(numbers)).values(game_id=game)
    return _count(session, adopted) if numbers else 0


def empty_letters(session: Session, retention: Retention, now: datetime) -> int:
    """Delete the bytes of some expired letters without a game, and return their number.

    The rows stay: receipt, Message-ID and result are known permanently, and no letter is read or
    sent twice.
    """
    spans = (
        (InboxLetter, InboxState.READ, retention.strangers),
        (InboxLetter, InboxState.IGNORED, retention.ignored),
        (InboxLetter, InboxState.QUARANTINED, retention.quarantined),
        (OutboxLetter, OutboxState.SENT, retention.strangers),
        (OutboxLetter, OutboxState.FAILED, retention.strangers),
    )
    return sum(
        _emptied(session, kind, state, now - span, now)
        for kind, state, span in spans
        if span is not None
    )


def _emptied(session: Session, kind: Any, state: Any, until: datetime, now: datetime) -> int:
    at = kind.read_at if kind is InboxLetter else kind.created_at
    whole = kind.game_id.is_(None), kind.emptied_at.is_(None)
    numbers = _some(session, select(kind.id).where(*whole, kind.state == state, at <= until))
    # A letter that was just released from quarantine is read again and needs its bytes.
    rows = update(kind).where(kind.id.in_(numbers), kind.state == state)
    return _count(session, rows.values(stored=b"", emptied_at=now)) if numbers else 0


def _deleted(session: Session, kind: Any, until: datetime) -> int:
    numbers = _some(session, select(kind.id).where(kind.at < until))
    return _count(session, delete(kind).where(kind.id.in_(numbers))) if numbers else 0


def _some(session: Session, query: Select[int]) -> list[int]:
    return list(session.scalars(query.limit(AT_ONCE)))


def _count(session: Session, statement: Any) -> int:
    done: Any = session.execute(statement, execution_options={"synchronize_session": False})
    count: int = done.rowcount
    return count
