"""Outbox: finished letters, until they are sent or have failed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Executable, Select, Update, bindparam, func, or_, select, update
from sqlalchemy.orm import Session, defer

from referee.domain.mail_transfer import PAUSES, Attempt, Delivery, OutgoingMail
from referee.errors import ClaimLost
from referee.store.database.base import Span, insert_those_missing, table
from referee.store.database.claims import (
    check_fence,
    lease_clock,
    locked,
    taken,
    taking,
    unclaimed,
    void,
)
from referee.store.letter_states import OutboxState, SendShare
from referee.store.mail.call_outs import CallOutRow
from referee.store.models import Game, InboxLetter, OutboxLetter


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A finished letter, due at once or at *due*; *seat* is the seat's number."""

    message_id: str
    kind: str
    envelope_sender: str
    recipient: str
    raw: bytes
    answers: InboxLetter | None = None
    game: Game | None = None
    seat: int | None = None
    turn: int | None = None
    due: datetime | None = None
    share: SendShare = SendShare.TURNS


def put(session: Session, now: datetime, *letters: Finished) -> None:
    """Put finished letters into the outbox. Idempotent per Message-ID."""
    insert_those_missing(session, OutboxLetter, [_row(letter, now) for letter in letters])


def claim(
    session: Session,
    owner: str,
    now: datetime,
    lease: timedelta,
    limit: int,
    *,
    kind: str | None = None,
    share: SendShare | None = None,
) -> list[OutboxLetter]:
    """Claim unclaimed letters that are due, the longest due first.

    Answers come before all others, because their readers are waiting. With *kind* or *share*, only
    letters of that kind or share are claimed. Send them after this transaction has committed, and
    pass each result to ``record`` with the fencing token.
    """
    clock = lease_clock(session, now)
    given: dict[str, Any] = {"kind": kind, "share": share}
    given = {name: value for name, value in given.items() if value is not None}
    answers, due = _claimable(frozenset(given))
    asked = given | {"now": now, "clock": clock, "most": limit}
    numbers = session.scalars(due, asked).all()
    if len(numbers) == limit:
        # There may be answers among those left.
        numbers = list(dict.fromkeys([*session.scalars(answers, asked), *numbers]))[:limit]
    claim = {"numbers": numbers, "claimant": owner, "until": clock + lease}
    claimed = session.scalars(_claiming(), claim) if numbers else ()
    return sorted(claimed, key=lambda each: (each.answers_id is None, each.due_at, each.id))


def dispatch(letter: OutboxLetter) -> OutgoingMail:
    """Return a letter in the form that mail transports take."""
    return OutgoingMail(
        number=letter.id,
        message_id=letter.message_id,
        sender=letter.envelope_sender,
        recipient=letter.recipient,
        raw=letter.raw,
    )


def record(session: Session, attempt: Attempt, fence: int, now: datetime) -> None:
    """Record the result of a sending attempt, and end the claim.

    A deferred letter waits for the next of ``PAUSES``; after the last of them, or when it was
    rejected permanently, it has failed. Raises ClaimLost if it was claimed again.
    """
    number = attempt.dispatch.number
    if attempt.delivery is Delivery.SENT:
        held = {"number": number, "claimed": fence, "moment": now}
        if session.scalar(_gone(), held) is None:
            raise ClaimLost(f"outgoing letter {number} was claimed again since fence {fence}")
        return
    letter = _reopen(session, number, fence)
    _settle(letter, attempt, now)
    # The claim is used up, so a second call with this attempt raises ClaimLost.
    void(letter)
    session.flush()


def put_back(session: Session, letter: OutboxLetter) -> OutboxLetter:
    """Release a claim without a sending attempt. Raises ClaimLost like record."""
    current = _reopen(session, letter.id, letter.fence)
    void(current)
    session.flush()
    return current


def put_off(session: Session, letter: OutboxLetter, due_at: datetime) -> OutboxLetter:
    """Release a claim until *due_at*, without an attempt. Raises ClaimLost like record."""
    current = put_back(session, letter)
    current.due_at = due_at
    session.flush()
    return current


def keep_due(
    session: Session, rows: type[OutboxLetter | CallOutRow], before: datetime, now: datetime
) -> None:
    """Make due now what of *rows* was due before the clock was set back from *before*.

    Rows that wait for a retry are tried now, too, because that clock set their pauses.
    """
    waited = update(rows).where(
        rows.state == OutboxState.WAITING,
        rows.due_at > now,
        or_(rows.due_at <= before, rows.attempts > 0),
    )
    session.execute(waited.values(due_at=now))


def retry(session: Session, number: int, now: datetime) -> OutboxLetter | None:
    """Retry a failed letter from the start.

    Returns None if there is no such failed letter, or if its bytes were deleted.
    """
    query = select(OutboxLetter).where(
        OutboxLetter.id == number,
        OutboxLetter.state == OutboxState.FAILED,
        OutboxLetter.emptied_at.is_(None),
    )
    letter = session.scalar(locked(query))
    if letter is not None:
        letter.state = OutboxState.WAITING
        letter.due_at = now
        letter.attempts = 0
        void(letter)
        session.flush()
    return letter


def newest_sent_from(session: Session, envelope_sender: str) -> OutboxLetter | None:
    """Return the newest letter with this envelope sender, or None."""
    query = select(OutboxLetter).where(OutboxLetter.envelope_sender == envelope_sender)
    return session.scalar(query.order_by(OutboxLetter.id.desc()).limit(1))


def redirect(letter: OutboxLetter, recipient: str, now: datetime) -> None:
    """Send a letter to another address of its reader, from the start."""
    letter.recipient = recipient
    letter.state = OutboxState.WAITING
    letter.due_at = now
    letter.attempts = 0
    letter.sent_at = None
    void(letter)


def redirect_waiting(session: Session, old: str, new: str) -> None:
    """Redirect all waiting letters from one address of a reader to another.

    A letter that is being sent now still goes to the old address.
    """
    query = select(OutboxLetter).where(
        OutboxLetter.recipient == old,
        OutboxLetter.state == OutboxState.WAITING,
        OutboxLetter.owner.is_(None),
    )
    for letter in session.scalars(query):
        letter.recipient = new


def by_id(session: Session, number: int) -> OutboxLetter | None:
    """Return the outgoing letter with this id, or None."""
    return session.get(OutboxLetter, number)


def newest(session: Session) -> int:
    """Return the id of the letter that was put here last, 0 if there is none."""
    return session.scalar(select(func.max(OutboxLetter.id))) or 0


def next_due(session: Session) -> datetime | None:
    """Return when the next waiting letter is due, or None."""
    return session.scalar(_next_due())


def is_due(session: Session, now: datetime) -> bool:
    """Return whether a waiting letter is due by *now*."""
    first = next_due(session)
    return first is not None and first <= now


def shares_due(session: Session, now: datetime) -> set[SendShare]:
    """Return the shares of the unclaimed letters that are due by *now*."""
    query = select(OutboxLetter.share).distinct()
    query = query.where(OutboxLetter.state == OutboxState.WAITING, OutboxLetter.due_at <= now)
    return set(session.scalars(query.where(unclaimed(OutboxLetter, lease_clock(session, now)))))


def sent_since(session: Session, moment: datetime, now: datetime) -> dict[SendShare, int]:
    """Return the number of letters of each share sent from *moment* to *now*, including zeros.

    Letters with a later time were sent long ago, before the clock was set back.
    """
    found = session.execute(_sent_of_each(), {"moment": moment, "now": now})
    return dict.fromkeys(SendShare, 0) | dict(found.all())


def sent_in(session: Session, span: Span) -> int:
    """Return the number of letters sent in *span*."""
    query = select(func.count()).where(OutboxLetter.state == OutboxState.SENT)
    sent = query.where(OutboxLetter.due_at > span.after, OutboxLetter.due_at <= span.until)
    return session.scalar(sent) or 0


def recipients_in(session: Session, span: Span) -> list[str]:
    """Return the recipient of each letter sent in *span*, with repetitions."""
    query = select(OutboxLetter.recipient).where(OutboxLetter.state == OutboxState.SENT)
    sent = query.where(OutboxLetter.due_at > span.after, OutboxLetter.due_at <= span.until)
    return list(session.scalars(sent))


def listing(session: Session, state: OutboxState | None, limit: int) -> list[OutboxLetter]:
    """Return the newest letters in a state (None: in any), newest first, without their bytes."""
    query = select(OutboxLetter).order_by(OutboxLetter.id.desc()).limit(limit)
    if state is not None:
        query = query.where(OutboxLetter.state == state)
    return list(session.scalars(query.options(defer(OutboxLetter.stored))))


def newest_of(session: Session, kind: str) -> datetime | None:
    """Return when the newest letter of a kind was written, or None."""
    query = select(func.max(OutboxLetter.created_at))
    return session.scalar(query.where(OutboxLetter.kind == kind))


def failed_in(session: Session, span: Span, limit: int) -> list[OutboxLetter]:
    """Return the failed letters that were due in *span*, without their bytes."""
    query = (
        select(OutboxLetter)
        .where(
            OutboxLetter.state == OutboxState.FAILED,
            OutboxLetter.due_at > span.after,
            OutboxLetter.due_at <= span.until,
        )
        .order_by(OutboxLetter.id)
        .limit(limit)
    )
    return list(session.scalars(query.options(defer(OutboxLetter.stored))))


def answers_to(session: Session, letter: InboxLetter) -> list[OutboxLetter]:
    """Return the letters that answer a received one, without their bytes."""
    query = select(OutboxLetter).where(OutboxLetter.answers_id == letter.id)
    return list(
        session.scalars(query.order_by(OutboxLetter.id).options(defer(OutboxLetter.stored)))
    )


def counts(session: Session, *states: OutboxState) -> Mapping[OutboxState, int]:
    """Return the number of letters in each of *states*, by default all, including zeros.

    Sent letters keep growing in number, and counting them takes ever longer.
    """
    asked = states or tuple(OutboxState)
    query = select(OutboxLetter.state, func.count()).where(OutboxLetter.state.in_(asked))
    found = dict(session.execute(query.group_by(OutboxLetter.state)).all())
    return {state: found.get(state, 0) for state in asked}


@cache
def _next_due() -> Select[datetime | None]:
    row = table(OutboxLetter).c
    return select(func.min(row.due_at)).where(row.state == OutboxState.WAITING)


@cache
def _sent_of_each() -> Select[SendShare, int]:
    """Build the query for the number of letters sent of each share in a span."""
    row = table(OutboxLetter).c
    within = row.due_at.between(bindparam("moment"), bindparam("now"))
    query = select(row.share, func.count()).where(row.state == OutboxState.SENT, within)
    return query.group_by(row.share)


@cache
def _claimable(given: frozenset[str]) -> tuple[Select[int], Select[int]]:
    """Build the queries for the ids of due answers and of all due letters.

    They compare the columns named in *given*, too.
    """
    row = table(OutboxLetter).c
    query = (
        select(row.id)
        .where(row.state == OutboxState.WAITING, row.due_at <= bindparam("now"))
        .where(unclaimed(row, bindparam("clock")))
        .where(*(row[name] == bindparam(name) for name in sorted(given)))
        .order_by(row.due_at, row.id)
        .limit(bindparam("most"))
        .with_for_update(skip_locked=True)
    )
    return query.where(row.answers_id.is_not(None)), query


@cache
def _claiming() -> Executable:
    """Build the statement that claims the letters found."""
    found = OutboxLetter.id.in_(bindparam("numbers", expanding=True))
    return taken(OutboxLetter, taking(OutboxLetter, found))


@cache
def _gone() -> Update:
    """Build the statement that marks a letter as sent while its claim is valid.

    Every letter needs it. ``due_at`` is set, too, so that recently sent letters are found by its
    index.
    """
    letters = table(OutboxLetter)
    held = update(letters).where(
        letters.c.id == bindparam("number"), letters.c.fence == bindparam("claimed")
    )
    return held.values(
        state=OutboxState.SENT,
        sent_at=bindparam("moment"),
        due_at=bindparam("moment"),
        attempts=letters.c.attempts + 1,
        error="",
        owner=None,
        lease_until=None,
        fence=letters.c.fence + 1,
    ).returning(letters.c.id)


def _row(letter: Finished, now: datetime) -> dict[str, Any]:
    return {
        "message_id": letter.message_id,
        "kind": letter.kind,
        "envelope_sender": letter.envelope_sender,
        "recipient": letter.recipient,
        "raw": letter.raw,
        "created_at": now,
        "due_at": letter.due or now,
        "answers_id": None if letter.answers is None else letter.answers.id,
        "game_id": None if letter.game is None else letter.game.id,
        "seat_number": letter.seat,
        "turn": letter.turn,
        "state": OutboxState.WAITING,
        "share": letter.share,
    }


def _reopen(session: Session, number: int, fence: int) -> OutboxLetter:
    query = select(OutboxLetter).where(OutboxLetter.id == number)
    letter = session.scalars(locked(query)).one()
    check_fence(f"outgoing letter {number}", found=letter.fence, claimed=fence)
    return letter


def _settle(letter: OutboxLetter, attempt: Attempt, now: datetime) -> None:
    letter.attempts += 1
    letter.error = attempt.reason
    if attempt.delivery is Delivery.REJECTED or letter.attempts > len(PAUSES):
        letter.state = OutboxState.FAILED
    else:
        letter.due_at = now + PAUSES[letter.attempts - 1]
