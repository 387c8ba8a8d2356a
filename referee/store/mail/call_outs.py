"""Call-outs that wait to be posted, by the rules of the outbox, in a table of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ForeignKey, Index, and_, func, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.domain.mail_transfer import PAUSES, Attempt, Delivery, OutgoingMail
from referee.store.database.base import Base, Claimed, Span, enum_of, insert_those_missing
from referee.store.database.claims import (
    check_fence,
    lease_clock,
    locked,
    locking,
    take,
    unclaimed,
    void,
)
from referee.store.letter_states import OutboxState
from referee.store.models import Game

_TRIES: Final = 11
"""By the pauses of the outbox a day of tries: later a call-out would be no news."""
KEPT: Final = timedelta(days=30)


class CallOutRow(Claimed, Base):
    """A call-out to one hook. For 30 days its id keeps it from being written again."""

    __tablename__ = "call_outs"
    __table_args__ = (Index("ix_call_outs_state_due_at", "state", "due_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    call_id: Mapped[str] = mapped_column(unique=True)
    hook: Mapped[str]
    """The name of the hook in the settings, which alone have its address."""
    kind: Mapped[str]
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    turn: Mapped[int | None]
    body: Mapped[bytes]
    state: Mapped[OutboxState] = mapped_column(enum_of(OutboxState))
    created_at: Mapped[datetime] = mapped_column(index=True)
    due_at: Mapped[datetime]
    """The time of the next try; after the last one, the time of that."""
    attempts: Mapped[int] = mapped_column(default=0)
    error: Mapped[str] = mapped_column(default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCallOut:
    """A call-out to add, due at once."""

    call_id: str
    hook: str
    kind: str
    game: Game
    body: bytes


def put(session: Session, now: datetime, *calls: NewCallOut) -> None:
    """Add call-outs. Idempotent per id."""
    rows = [
        {
            "call_id": call.call_id,
            "hook": call.hook,
            "kind": call.kind,
            "game_id": call.game.id,
            "turn": call.game.turn or None,
            "body": call.body,
            "created_at": now,
            "due_at": now,
            "state": OutboxState.WAITING,
        }
        for call in calls
    ]
    insert_those_missing(session, CallOutRow, rows)


def claim(
    session: Session, owner: str, now: datetime, lease: timedelta, limit: int
) -> list[CallOutRow]:
    """Claim unclaimed call-outs that are due, the longest due first."""
    clock = lease_clock(session, now)
    query = select(CallOutRow).where(
        CallOutRow.state == OutboxState.WAITING,
        CallOutRow.due_at <= now,
        unclaimed(CallOutRow, clock),
    )
    query = query.order_by(CallOutRow.due_at, CallOutRow.id).limit(limit)
    calls = list(session.scalars(locking(query)))
    for call in calls:
        take(call, owner, clock + lease)
    session.flush()
    return calls


def dispatch(call: CallOutRow) -> OutgoingMail:
    """Return a call-out in the form that transports take: its recipient is the name of a hook."""
    return OutgoingMail(call.id, call.call_id, "", call.hook, call.body)


def record(session: Session, attempt: Attempt, fence: int, now: datetime) -> None:
    """Record the result of an attempt, and end the claim. Raises ClaimLost.

    After a failure the call-out waits for the next of the outbox's PAUSES, or is given up after the
    last of its tries.
    """
    call = _reopen(session, attempt.dispatch.number, fence)
    call.error, call.attempts, call.due_at = attempt.reason, call.attempts + 1, now
    if attempt.delivery is Delivery.SENT:
        call.state = OutboxState.SENT
    elif attempt.delivery is Delivery.REJECTED or call.attempts >= _TRIES:
        call.state = OutboxState.FAILED
    else:
        call.due_at = now + PAUSES[call.attempts - 1]
    void(call)
    session.flush()


def put_back(session: Session, call: CallOutRow) -> None:
    """Release a claim without an attempt. Raises ClaimLost."""
    void(_reopen(session, call.id, call.fence))
    session.flush()


def next_due(session: Session) -> datetime | None:
    """Return when the next waiting call-out is due, or None."""
    waiting = CallOutRow.state == OutboxState.WAITING
    return session.scalar(select(func.min(CallOutRow.due_at)).where(waiting))


def in_trouble(session: Session, span: Span) -> Sequence[CallOutRow]:
    """Return the call-outs that were given up in *span*, or have failed and are still tried."""
    given_up = and_(CallOutRow.state == OutboxState.FAILED, CallOutRow.due_at <= span.until)
    tried = and_(CallOutRow.state == OutboxState.WAITING, CallOutRow.attempts > 0)
    query = select(CallOutRow).where(CallOutRow.due_at > span.after, or_(given_up, tried))
    return session.scalars(query.order_by(CallOutRow.id)).all()


def _reopen(session: Session, number: int, fence: int) -> CallOutRow:
    call = session.scalars(locked(select(CallOutRow).where(CallOutRow.id == number))).one()
    check_fence(f"call-out {number}", found=call.fence, claimed=fence)
    return call
