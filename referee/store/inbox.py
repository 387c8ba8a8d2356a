"""The inbox: letters that came in, from the raw bytes to what became of them."""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import Session, aliased, defer

from referee.domain.post import Arrival
from referee.store.claims import (
    lease_clock,
    locked,
    locking,
    refuse_old,
    take,
    unclaimed,
    void,
)
from referee.store.dialect import insert_unless_there
from referee.store.models import InboxLetter, InboxState
from referee.store.types import Span


def keep(session: Session, arrival: Arrival) -> InboxLetter:
    """Store a letter as it arrived; one that came from the same place before is given back as is.

    After the transaction has committed the source may be told that the letter is ours.
    """
    kept = insert_unless_there(
        session,
        InboxLetter,
        source=arrival.source,
        source_id=arrival.source_id,
        sha256=hashlib.sha256(arrival.raw).hexdigest(),
        raw=arrival.raw,
        arrived_at=arrival.arrived_at,
        envelope_sender=arrival.sender,
        envelope_recipient=arrival.recipient,
        state=InboxState.WAITING,
    )
    return _from_source(session, arrival) if kept is None else kept


def next_waiting(
    session: Session, owner: str, now: datetime, lease: timedelta
) -> InboxLetter | None:
    """Claim the oldest letter that waits and nobody holds; None when there is none.

    Claiming counts an attempt. Letters of one envelope sender are given out one after the other,
    so the later of his two sheets never loses to the earlier one.
    """
    clock = lease_clock(session, now)
    letter = session.scalar(_waiting(), {"clock": clock})
    if letter is not None:
        take(letter, owner, clock + lease)
        letter.attempts += 1
        session.flush()
    return letter


def reopen(session: Session, letter: InboxLetter) -> InboxLetter:
    """Bring a claimed letter into this transaction, locked against everybody else.

    Raises ClaimLost when it was claimed again since.
    """
    fence, number = letter.fence, letter.id
    query = select(InboxLetter).where(InboxLetter.id == number)
    current = session.scalars(locked(query)).one()
    refuse_old(f"letter {number}", found=current.fence, claimed=fence)
    return current


def conclude(
    session: Session,
    letter: InboxLetter,
    state: InboxState,
    note: str,
    now: datetime,
    *,
    message_id: str | None = None,
    body_hash: str | None = None,
    game_id: int | None = None,
    seat_number: int | None = None,
    trust: str | None = None,
    asked: dict[str, Any] | None = None,
) -> InboxLetter:
    """Write down what became of a claimed letter, and end the claim.

    *letter* is what ``next_waiting`` gave, from whatever transaction. What is None stays as it is.
    Raises ClaimLost when the letter was claimed again since.
    """
    current = reopen(session, letter)
    current.state = state
    current.note = note
    current.read_at = now
    current.message_id = message_id if message_id is not None else current.message_id
    current.body_hash = body_hash if body_hash is not None else current.body_hash
    current.game_id = game_id if game_id is not None else current.game_id
    current.seat_number = seat_number if seat_number is not None else current.seat_number
    current.trust = trust if trust is not None else current.trust
    current.asked = asked if asked is not None else current.asked
    # The claim is used up: concluding twice is refused.
    void(current)
    session.flush()
    return current


def quarantine(session: Session, letter: InboxLetter, reason: str, now: datetime) -> InboxLetter:
    """Set a letter aside that cannot be read, for the operator. Raises ClaimLost as conclude."""
    return conclude(session, letter, InboxState.QUARANTINED, reason, now)


def put_back(session: Session, letter: InboxLetter, pause: timedelta, now: datetime) -> InboxLetter:
    """Let a claimed letter wait again, for *pause* at least. Raises ClaimLost as conclude."""
    current = reopen(session, letter)
    current.owner = None
    current.lease_until = lease_clock(session, now) + pause
    session.flush()
    return current


def release(session: Session, number: int) -> InboxLetter | None:
    """Let a letter out of quarantine to be read again as if for the first time.

    None when there is no such letter in quarantine.
    """
    query = select(InboxLetter).where(
        InboxLetter.id == number, InboxLetter.state == InboxState.QUARANTINED
    )
    letter = session.scalar(locked(query))
    if letter is not None:
        letter.state = InboxState.WAITING
        letter.attempts = 0
        void(letter)
        session.flush()
    return letter


def by_id(session: Session, number: int) -> InboxLetter | None:
    """Give the letter with this receipt number."""
    return session.get(InboxLetter, number)


def twin(session: Session, message_id: str, body_hash: str, before_id: int) -> InboxLetter | None:
    """Give the first earlier letter with the same Message-ID and body that was read or held."""
    return session.scalar(
        select(InboxLetter)
        .where(InboxLetter.message_id == message_id, InboxLetter.body_hash == body_hash)
        .where(InboxLetter.id < before_id)
        .where(InboxLetter.state.in_((InboxState.READ, InboxState.HELD)))
        .order_by(InboxLetter.id)
        .limit(1)
    )


def oldest_waiting(session: Session) -> datetime | None:
    """Give when the letter came that waits longest to be read; None when none waits."""
    query = select(func.min(InboxLetter.arrived_at))
    return session.scalar(query.where(InboxLetter.state == InboxState.WAITING))


def listing(session: Session, state: InboxState | None, limit: int) -> list[InboxLetter]:
    """Give the newest letters in a state (None: in any), newest first, without their bytes."""
    query = select(InboxLetter).order_by(InboxLetter.id.desc()).limit(limit)
    if state is not None:
        query = query.where(InboxLetter.state == state)
    return list(session.scalars(query.options(defer(InboxLetter.raw))))


def quarantined_in(session: Session, span: Span, limit: int) -> list[InboxLetter]:
    """Give the letters that lie in quarantine since a moment in *span*, without their bytes."""
    query = (
        select(InboxLetter)
        .where(
            InboxLetter.state == InboxState.QUARANTINED,
            InboxLetter.read_at > span.after,
            InboxLetter.read_at <= span.until,
        )
        .order_by(InboxLetter.id)
        .limit(limit)
    )
    return list(session.scalars(query.options(defer(InboxLetter.raw))))


def counts(session: Session) -> Mapping[InboxState, int]:
    """Give how many letters are in each state, the empty states too."""
    query = select(InboxLetter.state, func.count()).group_by(InboxLetter.state)
    found = dict(session.execute(query).all())
    return {state: found.get(state, 0) for state in InboxState}


@cache
def _waiting() -> Select[InboxLetter]:
    """Give the question for the next letter that may be claimed; it is asked for every letter."""
    earlier = aliased(InboxLetter)
    query = (
        select(InboxLetter)
        .where(InboxLetter.state == InboxState.WAITING, unclaimed(InboxLetter, bindparam("clock")))
        .where(
            ~select(earlier.id)
            .where(earlier.state == InboxState.WAITING, earlier.id < InboxLetter.id)
            .where(earlier.envelope_sender != "")
            .where(earlier.envelope_sender == InboxLetter.envelope_sender)
            .exists()
        )
        .order_by(InboxLetter.id)
        .limit(1)
    )
    return locking(query)


def _from_source(session: Session, arrival: Arrival) -> InboxLetter:
    return session.scalars(
        select(InboxLetter).where(
            InboxLetter.source == arrival.source, InboxLetter.source_id == arrival.source_id
        )
    ).one()
