"""Retention: deletion of old letters without a game and of old counters."""

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, delete, func, or_, select, union, update
from sqlalchemy.orm import Session, aliased, defer

from referee.domain.retention import Retention
from referee.store.games import postponements
from referee.store.games.postponements import Postponement
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import inbox
from referee.store.mail.bookings import Booking
from referee.store.mail.call_outs import KEPT, CallOutRow
from referee.store.models import Game, GameStatus, InboxLetter, OutboxLetter, Person, SeatRow
from referee.store.people.deputies import Deputy
from referee.store.people.former_players import FormerPlayer
from referee.store.people.observers import Observer

AT_ONCE: Final = 200
"""The maximum number of rows in one transaction."""
BOOKED: Final = timedelta(days=2)
"""No share looks back further than a day."""
MOVED: Final = timedelta(days=400)
"""No clock that was wrong for longer is expected to be set back."""
_UNREAD: Final = dict.fromkeys(inbox.PERSONAL, "")


def forget_bookings(session: Session, now: datetime) -> int:
    """Delete the bookings of the oldest minute that no share needs now; return their number."""
    oldest = session.scalar(select(func.min(Booking.minute)).where(Booking.minute < now - BOOKED))
    return _count(session, delete(Booking).where(Booking.minute == oldest)) if oldest else 0


def forget_call_outs(session: Session, now: datetime) -> int:
    """Delete the call-outs whose ids no longer keep them from being written again."""
    return _count(session, delete(CallOutRow).where(CallOutRow.created_at < now - KEPT))


def forget_moves(session: Session, now: datetime) -> int:
    """Delete the moves of outages that are too old to be undone."""
    return _count(session, delete(Postponement).where(Postponement.moved_at < now - MOVED))


def forget_fingerprints(session: Session) -> int:
    """Delete the fingerprints of forgotten people whose games have all ended; return how many."""
    roles = (
        select(FormerPlayer.person_id, FormerPlayer.game_id),
        select(Observer.person_id, Observer.game_id),
        select(Deputy.person_id, SeatRow.game_id).join(SeatRow, SeatRow.id == Deputy.seat_id),
    )
    role = union(*roles).subquery()
    goes_on = select(Game.id).join(role, role.c.game_id == Game.id)
    goes_on = goes_on.where(role.c.person_id == Person.id, Game.status != GameStatus.ENDED)
    rows = update(Person).where(Person.fingerprint.is_not(None), ~goes_on.exists())
    return _count(session, rows.values(fingerprint=None))


def adopt_letters(session: Session, retention: Retention, now: datetime) -> int:
    """Assign some old letters to the game they created or joined, and return their number.

    Such a letter came before its game was known, but our answer names the game.
    """
    spans = [span for span in (retention.strangers, retention.unproven) if span is not None]
    if not spans:
        return 0
    answers = OutboxLetter.answers_id == InboxLetter.id, OutboxLetter.game_id.is_not(None)
    whole = InboxLetter.game_id.is_(None), InboxLetter.emptied_at.is_(None)
    old = InboxLetter.state == InboxState.READ, InboxLetter.read_at <= now - min(spans)
    answered = select(OutboxLetter.id).where(*answers).exists()
    numbers = _some(session, select(InboxLetter.id).where(*whole, *old, answered))
    game = select(OutboxLetter.game_id).where(*answers).limit(1).scalar_subquery()
    adopted = update(InboxLetter).where(InboxLetter.id.in_(numbers)).values(game_id=game)
    return _count(session, adopted) if numbers else 0


def empty_letters(session: Session, retention: Retention, now: datetime) -> int:
    """Delete the bytes and addresses of some expired letters without a game; return how many.

    The rows stay: receipt, Message-ID and result are known permanently, and no letter is read or
    sent twice.
    """
    unproven = or_(InboxLetter.trust.is_(None), InboxLetter.trust.in_(("none", "elsewhere")))
    spans = (
        (InboxLetter, InboxState.READ, retention.strangers),
        (InboxLetter, InboxState.READ, retention.unproven, unproven),
        (InboxLetter, InboxState.IGNORED, retention.ignored),
        (InboxLetter, InboxState.QUARANTINED, retention.quarantined),
        (OutboxLetter, OutboxState.SENT, retention.strangers),
        (OutboxLetter, OutboxState.FAILED, retention.strangers),
    )
    return sum(
        _emptied(session, kind, state, now - span, now, *others)
        for kind, state, span, *others in spans
        if span is not None
    )


def lapse_letters(session: Session, retention: Retention, now: datetime) -> int:
    """End the wait of some letters that nobody has confirmed, and return their number.

    The bytes of those of which nothing was done are deleted, also if they were for a game.
    """
    if retention.unproven is None:
        return 0
    is_held = InboxLetter.state.in_((InboxState.HELD, InboxState.UNASKED))
    until = now - retention.unproven
    until -= postponements.lost(session, until)
    numbers = _some(session, select(InboxLetter.id).where(is_held, InboxLetter.read_at <= until))
    if not numbers:
        return 0
    held = select(InboxLetter).where(InboxLetter.id.in_(numbers))
    for letter in session.scalars(held.options(defer(InboxLetter.stored))):
        letter.end_question("not confirmed in time")
    session.flush()
    these = update(InboxLetter).where(InboxLetter.id.in_(numbers))
    lapsed = these.where(InboxLetter.state == InboxState.IGNORED, ~_is_needed())
    _count(session, lapsed.values(stored=b"", same_as_id=None, emptied_at=now, **_UNREAD))
    return len(numbers)


def _emptied(
    session: Session,
    kind: Any,
    state: Any,
    until: datetime,
    now: datetime,
    *others: ColumnElement[bool],
) -> int:
    at = kind.read_at if kind is InboxLetter else kind.created_at
    whole = [kind.game_id.is_(None), kind.emptied_at.is_(None), *others]
    values: dict[str, Any] = {"stored": b"", "emptied_at": now}
    if kind is InboxLetter:
        whole.append(~_is_needed())
        values |= {"same_as_id": None, **_UNREAD}
    else:
        values |= {"recipient": "", "error": ""}
    numbers = _some(session, select(kind.id).where(*whole, kind.state == state, at <= until))
    # A letter that was just released from quarantine is read again and needs its bytes.
    rows = update(kind).where(kind.id.in_(numbers), kind.state == state)
    return _count(session, rows.values(**values)) if numbers else 0


def _is_needed() -> ColumnElement[bool]:
    """Return whether the row has the bytes of another letter, too."""
    other = aliased(InboxLetter)
    return select(other.id).where(other.same_as_id == InboxLetter.id).exists()


def _some(session: Session, query: Select[int]) -> list[int]:
    return list(session.scalars(query.limit(AT_ONCE)))


def _count(session: Session, statement: Any) -> int:
    done: Any = session.execute(statement, execution_options={"synchronize_session": False})
    count: int = done.rowcount
    return count
