"""The inbox: letters that came in, from the raw bytes to what became of them."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Executable,
    Select,
    Update,
    bindparam,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session, aliased, defer

from referee.domain.mail_transfer import IncomingMail
from referee.errors import ClaimLost
from referee.store.database.claims import (
    check_fence,
    lease_clock,
    locked,
    taken,
    taking,
    unclaimed,
    void,
)
from referee.store.database.dialect import insert_those_missing, insert_unless_there, table
from referee.store.database.types import Span
from referee.store.models import InboxLetter, InboxState

_SMALL: Final = 16 * 1024
"""Octets of a letter as it is stored, compressed; even a bomb unpacks to a thousand times that."""


def insert(session: Session, arrival: IncomingMail, writer: str = "") -> int:
    """Store a letter as it arrived and give its number, the same for one from the same place.

    Letters of one *writer* are read one after the other; who wrote nobody's wait for nobody.
    After the transaction has committed the source may be told that the letter is ours.
    """
    kept = insert_unless_there(session, InboxLetter, **_row(arrival, writer))
    return _from_source(session, arrival) if kept is None else kept


def insert_all(session: Session, arrivals: Sequence[IncomingMail], writers: Sequence[str]) -> None:
    """Store letters of *writers* as ``insert`` does, all at once; their numbers nobody asks for."""
    rows = [_row(arrival, writer) for arrival, writer in zip(arrivals, writers, strict=True)]
    insert_those_missing(session, InboxLetter, rows)


def next_waiting(
    session: Session, owner: str, now: datetime, lease: timedelta
) -> InboxLetter | None:
    """Claim the oldest letter that waits and nobody holds; None when there is none.

    Claiming counts an attempt. Letters of one writer are given out one after the other, so the
    later of his two sheets never loses to the earlier one.
    """
    clock = lease_clock(session, now)
    claim = {"clock": clock, "claimant": owner, "until": clock + lease}
    letter: InboxLetter | None = session.scalar(_claim(), claim)
    return letter


def next_together(
    session: Session, owner: str, now: datetime, lease: timedelta, most: int
) -> list[InboxLetter]:
    """Claim the letters that come next and may be read in one transaction, *most* at most.

    They end before another one of a writer's; one that is large or was tried before comes alone.
    Each counts as with ``next_waiting``. For SQLite, where no other claim comes between.
    """
    clock = lease_clock(session, now)
    numbers: list[int] = []
    writers: set[str] = set()
    coming = {"clock": clock, "most": most}
    for number, writer, attempts, size in session.execute(_coming(), coming):
        is_alone = attempts or size > _SMALL
        if numbers and (is_alone or writer in writers):
            break
        numbers.append(number)
        writers |= {writer} - {""}
        if is_alone:
            break
    claim = {"numbers": numbers, "claimant": owner, "until": clock + lease}
    claimed = session.scalars(_claim_together(), claim) if numbers else ()
    return sorted(claimed, key=lambda letter: letter.id)


def reopen(session: Session, letter: InboxLetter) -> InboxLetter:
    """Bring a claimed letter into this transaction, locked against everybody else.

    Raises ClaimLost when it was claimed again since.
    """
    fence, number = letter.fence, letter.id
    query = select(InboxLetter).where(InboxLetter.id == number)
    current = session.scalars(locked(query)).one()
    check_fence(f"letter {number}", found=current.fence, claimed=fence)
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
    holder_id: int | None = None,
    trust: str | None = None,
    asked: dict[str, Any] | None = None,
) -> None:
    """Write down what became of a claimed letter, and end the claim.

    *letter* is what ``next_waiting`` gave, from whatever transaction. What is None stays as it is.
    Raises ClaimLost when the letter was claimed again since.
    """
    known = {
        "message_id": message_id,
        "body_hash": body_hash,
        "game_id": game_id,
        "seat_number": seat_number,
        "holder_id": holder_id,
        "trust": trust,
        "asked": asked,
    }
    # The claim is used up: concluding twice is refused.
    words = {"state": state, "note": note, "read_at": now, "owner": None, "lease_until": None}
    words |= {name: value for name, value in known.items() if value is not None}
    claimed = {"number": letter.id, "claimed": letter.fence}
    if session.scalar(_conclusion(), words | claimed) is None:
        raise ClaimLost(f"letter {letter.id} was claimed again since fence {letter.fence}")


def quarantine(session: Session, letter: InboxLetter, reason: str, now: datetime) -> None:
    """Set a letter aside that cannot be read, for the operator. Raises ClaimLost as conclude."""
    conclude(session, letter, InboxState.QUARANTINED, reason, now)


def put_back(session: Session, letter: InboxLetter, pause: timedelta, now: datetime) -> InboxLetter:
    """Let a claimed letter wait again, for *pause* at least. Raises ClaimLost as conclude."""
    current = reopen(session, letter)
    current.owner = None
    current.lease_until = lease_clock(session, now) + pause
    session.flush()
    return current


def release(session: Session, number: int) -> InboxLetter | None:
    """Let a letter out of quarantine to be read again as if for the first time.

    None when there is no such letter in quarantine, or its octets were given up.
    """
    query = select(InboxLetter).where(
        InboxLetter.id == number,
        InboxLetter.state == InboxState.QUARANTINED,
        InboxLetter.emptied_at.is_(None),
    )
    letter = session.scalar(locked(query))
    if letter is not None:
        letter.state = InboxState.WAITING
        letter.attempts = 0
        void(letter)
        session.flush()
    return letter


def by_id(session: Session, number: int) -> InboxLetter | None:
    """Return the letter with this receipt number."""
    return session.get(InboxLetter, number)


def twin(session: Session, message_id: str, body_hash: str, before_id: int) -> InboxLetter | None:
    """Return the first earlier letter with the same Message-ID and body that was read or held."""
    asked = {"message_id": message_id, "body_hash": body_hash, "before": before_id}
    number = session.scalar(_twin(), asked)
    return session.get(InboxLetter, number) if number is not None else None


def oldest_waiting(session: Session) -> datetime | None:
    """Return when the letter came that waits longest to be read; None when none waits."""
    query = select(func.min(InboxLetter.arrived_at))
    return session.scalar(query.where(InboxLetter.state == InboxState.WAITING))


def listing(session: Session, state: InboxState | None, limit: int) -> list[InboxLetter]:
    """Return the newest letters in a state (None: in any), newest first, without their bytes."""
    query = select(InboxLetter).order_by(InboxLetter.id.desc()).limit(limit)
    if state is not None:
        query = query.where(InboxLetter.state == state)
    return list(session.scalars(query.options(defer(InboxLetter.stored))))


def quarantined_in(session: Session, span: Span, limit: int) -> list[InboxLetter]:
    """Return the letters that lie in quarantine since a moment in *span*, without their bytes."""
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
    return list(session.scalars(query.options(defer(InboxLetter.stored))))


def counts(session: Session, *states: InboxState) -> Mapping[InboxState, int]:
    """Return how many letters are in each of *states* (none named: in any), the empty ones too.

    Those that are done with become ever more: counting them takes the longer.
    """
    asked = states or tuple(InboxState)
    query = select(InboxLetter.state, func.count()).where(InboxLetter.state.in_(asked))
    found = dict(session.execute(query.group_by(InboxLetter.state)).all())
    return {state: found.get(state, 0) for state in asked}


@cache
def _claim() -> Executable:
    """Return what claims the next letter; it is done for every letter."""
    earlier = aliased(InboxLetter)
    waiting = (
        select(InboxLetter.id)
        .where(InboxLetter.state == InboxState.WAITING, unclaimed(InboxLetter, bindparam("clock")))
        .where(~_before(earlier).exists())
        .order_by(InboxLetter.id)
        .limit(1)
    )
    return _claiming(InboxLetter.id == waiting.with_for_update(skip_locked=True).scalar_subquery())


@cache
def _coming() -> Select[int, str, int, int]:
    """Return what finds the letters that come next, one or more of a writer."""
    earlier = aliased(InboxLetter)
    held = _before(earlier).where(~unclaimed(earlier, bindparam("clock")))
    each = InboxLetter
    return (
        select(each.id, each.writer, each.attempts, func.length(each.stored))
        .where(each.state == InboxState.WAITING, unclaimed(each, bindparam("clock")))
        .where(~held.exists())
        .order_by(each.id)
        .limit(bindparam("most"))
    )


@cache
def _claim_together() -> Executable:
    """Return what claims letters to be read together."""
    return _claiming(InboxLetter.id.in_(bindparam("numbers", expanding=True)))


def _before(earlier: type[InboxLetter]) -> Select[int]:
    """Return what finds a letter of the same writer that waits, and came *earlier*."""
    return (
        select(earlier.id)
        .where(earlier.state == InboxState.WAITING, earlier.id < InboxLetter.id)
        .where(earlier.writer != "", earlier.writer == InboxLetter.writer)
    )


def _claiming(which: ColumnElement[bool]) -> Executable:
    attempts = table(InboxLetter).c.attempts + 1
    return taken(InboxLetter, taking(InboxLetter, which, attempts=attempts))


@cache
def _twin() -> Select[int | None]:
    letters = table(InboxLetter).c
    return (
        select(func.min(letters.id))
        .where(letters.message_id == bindparam("message_id"))
        .where(letters.body_hash == bindparam("body_hash"))
        .where(letters.id < bindparam("before"))
        .where(or_(letters.state == InboxState.READ, letters.state == InboxState.HELD))
    )


@cache
def _conclusion() -> Update:
    """Return what writes down what became of a letter, while the claim of it holds."""
    letters = table(InboxLetter)
    held = update(letters).where(
        letters.c.id == bindparam("number"), letters.c.fence == bindparam("claimed")
    )
    return held.values(fence=letters.c.fence + 1).returning(letters.c.id)


def _row(arrival: IncomingMail, writer: str) -> dict[str, Any]:
    return {
        "source": arrival.source,
        "source_id": arrival.source_id,
        "sha256": hashlib.sha256(arrival.raw).hexdigest(),
        "raw": arrival.raw,
        "arrived_at": arrival.arrived_at,
        "envelope_sender": arrival.sender,
        "envelope_recipient": arrival.recipient,
        "writer": writer,
        "state": InboxState.WAITING,
    }


def _from_source(session: Session, arrival: IncomingMail) -> int:
    return session.scalars(
        select(InboxLetter.id).where(
            InboxLetter.source == arrival.source, InboxLetter.source_id == arrival.source_id
        )
    ).one()
