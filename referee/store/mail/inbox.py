"""Inbox: received letters, from their raw bytes to what became of them, and their receipts.

A receipt is a number counted for each seat. People see these and no others. The id of a letter
counts the letters of the whole site, so it would show a player when others write.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Executable,
    Select,
    Update,
    bindparam,
    case,
    func,
    or_,
    select,
    tuple_,
    union_all,
    update,
)
from sqlalchemy.orm import Session, defer
from sqlalchemy.orm.attributes import set_committed_value

from referee.domain.mail_transfer import IncomingMail
from referee.errors import ClaimLost
from referee.store.database.base import Span, insert_those_missing, insert_unless_there, table
from referee.store.database.claims import (
    check_fence,
    lease_clock,
    locked,
    taken,
    taking,
    unclaimed,
    void,
)
from referee.store.letter_states import TURNS_WAIT_FOR, InboxState, Lane
from referee.store.mail.epochs import SOURCE
from referee.store.models import Game, InboxLetter, SeatRow

PERSONAL: Final = ("writer", "envelope_sender", "envelope_recipient", "network")
"""The columns that are emptied with the bytes."""
_SMALL: Final = 16 * 1024
"""Compressed size in bytes; even a zip bomb unpacks to at most a thousand times that."""


def insert(
    session: Session, arrival: IncomingMail, writer: str = "", lane: Lane = Lane.KNOWN
) -> int:
    """Store a received letter and return its number. Idempotent per source id.

    Letters from one *writer* are read one at a time; those with an empty writer do not wait. Commit
    before acknowledging to the source.
    """
    (row,) = _with_same(session, [_row(arrival, writer, lane)])
    kept = insert_unless_there(session, InboxLetter, **row)
    return _from_source(session, arrival) if kept is None else kept


def insert_all(session: Session, letters: Iterable[tuple[IncomingMail, str, Lane]]) -> None:
    """Store received letters, with the writer and the lane of each, in one statement.

    Those with the bytes of another of them follow in a second one, which finds its row.
    """
    rows = [_row(*letter) for letter in letters]
    first = {row["sha256"]: row["source_id"] for row in reversed(rows)}
    for is_first in (True, False):
        part = [row for row in rows if (first[row["sha256"]] == row["source_id"]) == is_first]
        insert_those_missing(session, InboxLetter, _with_same(session, part))


def known(session: Session, arrivals: Sequence[IncomingMail]) -> set[tuple[str, str]]:
    """Return source and source id of those letters that are stored already."""
    given = [(arrival.source, arrival.source_id) for arrival in arrivals]
    return {(each[0], each[1]) for each in session.execute(_known(), {"given": given})}


def next_waiting(
    session: Session, owner: str, now: datetime, lease: timedelta, first: Lane = Lane.REPLIES
) -> InboxLetter | None:
    """Claim the oldest waiting letter of the *first* lane that has one or of those behind it.

    Counts an attempt. Letters from one sender are claimed one at a time, so that a later sheet
    always replaces an earlier one. Return None if no letter can be claimed.
    """
    clock = lease_clock(session, now)
    claim = {"clock": clock, "claimant": owner, "until": clock + lease, "first": int(first)}
    letter: InboxLetter | None = session.scalar(_claim(), claim)
    return letter if letter is None else _whole(letter)


def next_together(
    session: Session,
    owner: str,
    now: datetime,
    lease: timedelta,
    most: int,
    first: Lane = Lane.REPLIES,
) -> list[InboxLetter]:
    """Claim the next letters, *most* at most, that can be read in one transaction.

    They stop before a second letter from the same sender; a large or retried letter is claimed only
    by itself. Each counts an attempt. For SQLite, where no other claim can come between.
    """
    clock = lease_clock(session, now)
    numbers: list[int] = []
    writers: set[str] = set()
    coming = {"clock": clock, "most": most, "first": int(first)}
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
    return [_whole(row) for row in sorted(claimed, key=lambda row: (row.lane, row.is_last, row.id))]


def reopen(session: Session, letter: InboxLetter) -> InboxLetter:
    """Return a claimed letter in this transaction, locked.

    Raises ClaimLost if it was claimed again.
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
    covers: str | None = None,
    asked: dict[str, Any] | None = None,
) -> None:
    """Record the result of a claimed letter, and end the claim.

    *letter* is from ``next_waiting``, in any transaction. Values of None stay unchanged. Raises
    ClaimLost if the letter was claimed again.
    """
    known = {
        "message_id": message_id,
        "body_hash": body_hash,
        "game_id": game_id,
        "seat_number": seat_number,
        "holder_id": holder_id,
        "trust": trust,
        "covers": covers,
        "asked": asked,
    }
    # The claim is used up, so a second call raises ClaimLost.
    words = {"state": state, "note": note, "read_at": now, "owner": None, "lease_until": None}
    words |= {name: value for name, value in known.items() if value is not None}
    claimed = {"number": letter.id, "claimed": letter.fence}
    if session.scalar(_conclusion(), words | claimed) is None:
        raise ClaimLost(f"letter {letter.id} was claimed again since fence {letter.fence}")


def quarantine(session: Session, letter: InboxLetter, reason: str, now: datetime) -> None:
    """Quarantine an unreadable letter for the operator. Raises ClaimLost like conclude."""
    conclude(session, letter, InboxState.QUARANTINED, reason, now)


def put_back(session: Session, letter: InboxLetter, pause: timedelta, now: datetime) -> InboxLetter:
    """Make a claimed letter wait again, at least for *pause*. Raises ClaimLost like conclude."""
    current = reopen(session, letter)
    current.owner = None
    current.lease_until = lease_clock(session, now) + pause
    session.flush()
    return current


def put_last(session: Session, letter: InboxLetter, now: datetime) -> None:
    """Put a claimed letter behind the others of its lane, as if it had not been tried."""
    current = put_back(session, letter, timedelta(0), now)
    current.attempts, current.is_last = current.attempts - 1, True


def end_pause(session: Session, numbers: Sequence[int]) -> None:
    """Make letters that wait for a pause claimable at once."""
    paused = InboxLetter.id.in_(numbers), InboxLetter.owner.is_(None)
    session.execute(update(InboxLetter).where(*paused).values(lease_until=None))


def release(session: Session, number: int) -> InboxLetter | None:
    """Release a letter from quarantine, to be read again as if new.

    A letter about which nobody could be asked is released, too; it counts as confirmed. Returns
    None if the letter is neither, or if its bytes were deleted.
    """
    query = select(InboxLetter).where(
        InboxLetter.id == number,
        InboxLetter.state.in_((InboxState.QUARANTINED, InboxState.UNASKED)),
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
    """Return the letter with this number, or None."""
    return session.get(InboxLetter, number)


def twins(session: Session, message_id: str, body_hash: str, before_id: int) -> list[InboxLetter]:
    """Return the earlier letters, read or pending, with the same Message-ID and body.

    The oldest comes first, all without their bytes.
    """
    asked = {"message_id": message_id, "body_hash": body_hash, "before": before_id}
    return _without_bytes(session, _twins(), asked)


def twins_by_name(session: Session, letter: InboxLetter, message_id: str) -> list[InboxLetter]:
    """Return the earlier letters of the same From with the same Message-ID, as ``twins`` does.

    Their text can differ. A letter without one From has none.
    """
    asked = {"message_id": message_id, "writer": letter.writer, "before": letter.id}
    return _without_bytes(session, _twins_by_name(), asked) if letter.writer else []


def has_read(session: Session, message_id: str, writer: str) -> bool:
    """Return whether a letter of this From with this Message-ID was read, or is pending."""
    asked = {"message_id": message_id, "writer": writer, "before": 2**31 - 1}
    return session.scalars(_twins_by_name().limit(1), asked).first() is not None


def oldest_waiting(session: Session) -> Mapping[Lane, datetime]:
    """Return when the oldest waiting letter of each lane that has one arrived, in their order."""
    row = InboxLetter
    query = select(row.lane, func.min(row.arrived_at)).group_by(row.lane).order_by(row.lane)
    found = session.execute(query.where(row.state == InboxState.WAITING))
    return {Lane(lane): since for lane, since in found}


def oldest_awaited(session: Session) -> datetime | None:
    """Return when the oldest waiting letter of those that turns wait for arrived, or None.

    One whose share of reading is used up proves nothing, so it could only be asked about.
    """
    row = InboxLetter
    waiting = row.state == InboxState.WAITING, row.lane.in_(map(int, TURNS_WAIT_FOR)), ~row.is_last
    return session.scalar(select(func.min(row.arrived_at)).where(*waiting))


def asked_alike(session: Session, row: InboxLetter, terms: Mapping[str, Any]) -> InboxLetter | None:
    """Return another pending letter of the same writer whose question shows the same, or None."""
    if not terms["shown"]:
        return None
    query = select(InboxLetter).where(
        InboxLetter.writer == row.writer,
        InboxLetter.state == InboxState.HELD,
        InboxLetter.id != row.id,
        InboxLetter.asked["shown"].as_string() == terms["shown"],
    )
    newest = query.order_by(InboxLetter.id.desc()).options(defer(InboxLetter.stored))
    return next((each for each in session.scalars(newest) if each.asked == terms), None)


def asking(session: Session, person_id: int) -> list[InboxLetter]:
    """Return the pending letters about which a person is asked, oldest first, without their bytes.

    *person_id* is the number of the row, as in ``asked``.
    """
    query = select(InboxLetter).where(
        InboxLetter.state == InboxState.HELD,
        InboxLetter.asked["person"].as_integer() == person_id,
    )
    oldest = query.order_by(InboxLetter.id).options(defer(InboxLetter.stored))
    return list(session.scalars(oldest))


def listing(session: Session, state: InboxState | None, limit: int) -> list[InboxLetter]:
    """Return the newest letters in a state (None: in any), newest first, without their bytes."""
    query = select(InboxLetter).order_by(InboxLetter.id.desc()).limit(limit)
    if state is not None:
        query = query.where(InboxLetter.state == state)
    return list(session.scalars(query.options(defer(InboxLetter.stored))))


def concluded_in(session: Session, state: InboxState, span: Span, limit: int) -> list[InboxLetter]:
    """Return the letters that came into a state in *span*, without their bytes."""
    query = (
        select(InboxLetter)
        .where(
            InboxLetter.state == state,
            InboxLetter.read_at > span.after,
            InboxLetter.read_at <= span.until,
        )
        .order_by(InboxLetter.id)
        .limit(limit)
    )
    return list(session.scalars(query.options(defer(InboxLetter.stored))))


def counts(session: Session, *states: InboxState) -> Mapping[InboxState, int]:
    """Return the number of letters in each of *states*, by default all, including zeros.

    Finished letters keep growing in number, and counting them takes ever longer.
    """
    asked = states or tuple(InboxState)
    query = select(InboxLetter.state, func.count()).where(InboxLetter.state.in_(asked))
    found = dict(session.execute(query.group_by(InboxLetter.state)).all())
    return {state: found.get(state, 0) for state in asked}


@cache
def _claim() -> Executable:
    """Build the statement that claims the next letter. Every letter needs it."""
    each, earlier = _two_rows()
    waiting = (
        select(each.id)
        .where(each.state == InboxState.WAITING, unclaimed(each, bindparam("clock")))
        .where(each.lane >= bindparam("first"), ~_before(each, earlier).exists())
        .order_by(each.lane, each.is_last, each.id)
        .limit(1)
    )
    return _claiming(each.id == waiting.with_for_update(skip_locked=True).scalar_subquery())


@cache
def _coming() -> Select[int, str, int, int]:
    """Build the query for the next letters, with any number per sender."""
    each, earlier = _two_rows()
    comes_later = earlier.lane > each.lane, earlier.is_last > each.is_last
    is_later = or_(*comes_later, ~unclaimed(earlier, bindparam("clock")))
    held = _before(each, earlier).where(is_later)
    size = case((each.same_as_id.is_(None), func.length(each.raw)), else_=each.size)
    return (
        select(each.id, each.writer, each.attempts, size)
        .where(each.state == InboxState.WAITING, unclaimed(each, bindparam("clock")))
        .where(each.lane >= bindparam("first"), ~held.exists())
        .order_by(each.lane, each.is_last, each.id)
        .limit(bindparam("most"))
    )


def _two_rows() -> tuple[Any, Any]:
    """Return the columns of a letter and those of another one.

    They are the table's: the mapper would take longer than the query.
    """
    letters = table(InboxLetter)
    return letters.c, letters.alias().c


@cache
def _claim_together() -> Executable:
    """Build the statement that claims several letters."""
    return _claiming(InboxLetter.id.in_(bindparam("numbers", expanding=True)))


def _before(each: Any, earlier: Any) -> Select[int]:
    """Build the query for an *earlier* unread letter from the same sender.

    Anybody can write a From, so one that is read last for its cost holds up no other.
    """
    return (
        select(earlier.id)
        .where(earlier.state == InboxState.WAITING, earlier.id < each.id)
        .where(earlier.writer != "", earlier.writer == each.writer)
        .where(or_(~earlier.is_last, each.is_last))
    )


def _claiming(which: ColumnElement[bool]) -> Executable:
    attempts = table(InboxLetter).c.attempts + 1
    return taken(InboxLetter, taking(InboxLetter, which, attempts=attempts))


@cache
def _twins() -> Select[int]:
    return _namesakes().where(table(InboxLetter).c.body_hash == bindparam("body_hash"))


@cache
def _twins_by_name() -> Select[int]:
    return _namesakes().where(table(InboxLetter).c.writer == bindparam("writer"))


def _namesakes() -> Select[int]:
    """Build the query for the ids of the earlier letters with a Message-ID, read or pending."""
    row = table(InboxLetter).c
    return (
        select(row.id)
        .where(row.message_id == bindparam("message_id"), row.id < bindparam("before"))
        .where(or_(row.state == InboxState.READ, row.state == InboxState.HELD))
    )


def _without_bytes(
    session: Session, query: Select[int], asked: Mapping[str, Any]
) -> list[InboxLetter]:
    """Return the letters whose ids *query* finds, oldest first, without their bytes.

    Every letter asks for its twins, and few have any, so objects are loaded only then.
    """
    if not (numbers := session.scalars(query, asked).all()):
        return []
    letters = select(InboxLetter).where(InboxLetter.id.in_(numbers)).order_by(InboxLetter.id)
    return list(session.scalars(letters.options(defer(InboxLetter.stored))))


@cache
def _conclusion() -> Update:
    """Build the statement that records the result of a letter while its claim is valid."""
    letters = table(InboxLetter)
    held = update(letters).where(
        letters.c.id == bindparam("number"), letters.c.fence == bindparam("claimed")
    )
    return held.values(fence=letters.c.fence + 1).returning(letters.c.id)


def _row(arrival: IncomingMail, writer: str, lane: Lane) -> dict[str, Any]:
    return {
        "source": arrival.source,
        "source_id": arrival.source_id,
        "sha256": hashlib.sha256(arrival.raw).hexdigest(),
        "size": arrival.octets,
        "same_as_id": None,
        "raw": arrival.raw,
        "arrived_at": arrival.arrived_at,
        "envelope_sender": arrival.sender,
        "envelope_recipient": arrival.recipient,
        "network": arrival.network,
        "writer": writer,
        "lane": int(lane),
        "state": InboxState.WAITING,
    }


def _with_same(session: Session, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows; those whose bytes are stored already refer to them."""
    hashes = {"hashes": [row["sha256"] for row in rows]}
    found = dict(session.execute(_stored_with(), hashes).all()) if rows else {}
    return [
        row
        if row["sha256"] not in found
        else row | {"raw": b"", "same_as_id": found[row["sha256"]]}
        for row in rows
    ]


@cache
def _known() -> Select[str, str]:
    """Build the query for the source ids of some that are stored."""
    ids = table(InboxLetter).c.source, table(InboxLetter).c.source_id
    return select(*ids).where(tuple_(*ids).in_(bindparam("given", expanding=True)))


@cache
def _stored_with() -> Select[str, int]:
    """Build the query for the first letter that has its bytes, for each hash."""
    row = table(InboxLetter).c
    whole = row.same_as_id.is_(None), row.emptied_at.is_(None), row.bundle_id.is_(None)
    having = row.sha256.in_(bindparam("hashes", expanding=True)), *whole
    return select(row.sha256, func.min(row.id)).where(*having).group_by(row.sha256)


def _whole(letter: InboxLetter) -> InboxLetter:
    """Return the letter after loading the row with its bytes: it is read in no transaction."""
    if letter.same_as_id is not None:
        _ = letter.raw
    return letter


def _from_source(session: Session, arrival: IncomingMail) -> int:
    return session.scalars(
        select(InboxLetter.id).where(
            InboxLetter.source == arrival.source, InboxLetter.source_id == arrival.source_id
        )
    ).one()


def take_receipt(session: Session, letter: InboxLetter, seat: SeatRow) -> int:
    """Return the receipt of a letter for *seat*, which is the seat's next one if it has none.

    The caller has locked the game.
    """
    asked = {"number": letter.id, "game": seat.game_id, "seat": seat.number}
    receipt: int = session.scalars(_taking_receipt(), asked).one()
    set_committed_value(letter, "receipt", receipt)
    return receipt


def receipt_of(session: Session, letter_id: int) -> int:
    """Return the receipt of a letter, by its id; 0 if it has none."""
    return session.scalar(_receipt_of(), {"number": letter_id}) or 0


def letter_with(session: Session, seat: SeatRow, receipt: int) -> int | None:
    """Return the id of the seat's letter with that receipt, or None."""
    query = select(InboxLetter.id).where(
        InboxLetter.game_id == seat.game_id,
        InboxLetter.seat_number == seat.number,
        InboxLetter.receipt == receipt,
    )
    return session.scalar(query)


def letters_with(session: Session, game: Game, receipt: int) -> list[InboxLetter]:
    """Return the letters of all seats of a game with that receipt, without their bytes."""
    query = select(InboxLetter).where(
        InboxLetter.game_id == game.id,
        InboxLetter.seat_number.is_not(None),
        InboxLetter.receipt == receipt,
    )
    return list(session.scalars(query.order_by(InboxLetter.id).options(defer(InboxLetter.stored))))


@cache
def _taking_receipt() -> Update:
    """Build the statement that gives a letter its receipt; every letter for a seat needs it."""
    letters = table(InboxLetter)
    earlier = letters.alias().c
    of_seat = earlier.game_id == bindparam("game"), earlier.seat_number == bindparam("seat")
    # What a restored database does not know of may have any number up to that of the restore.
    used = union_all(
        select(func.max(earlier.receipt).label("highest")).where(*of_seat),
        select(func.max(earlier.receipt)).where(earlier.source == SOURCE),
    ).subquery()
    following = select(func.coalesce(func.max(used.c.highest), 0) + 1).scalar_subquery()
    here = letters.c.receipt
    return (
        update(letters)
        .where(letters.c.id == bindparam("number"))
        .values(receipt=func.coalesce(here, following))
        .returning(here)
    )


@cache
def _receipt_of() -> Select[int | None]:
    return select(InboxLetter.receipt).where(InboxLetter.id == bindparam("number"))
