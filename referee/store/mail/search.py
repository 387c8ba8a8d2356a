"""Search of the mail by the operator: by address, game, seat, day and state, newest first."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from referee.store.letter_states import InboxState, OutboxState
from referee.store.models import InboxLetter, OutboxLetter


@dataclass(frozen=True, slots=True)
class MailSearch:
    """The common properties of the letters to find; None means any.

    *address* can be a part of an address. A *day* is one in UTC.
    """

    address: str | None = None
    game_id: int | None = None
    seat_number: int | None = None
    day: date | None = None


def incoming(
    session: Session, search: MailSearch, state: InboxState | None, limit: int
) -> list[InboxLetter]:
    """Return the newest received letters from an address, newest first."""
    row = InboxLetter
    wanted = list(_belonging(row, search))
    wanted += _written(search, row.arrived_at)
    if search.address is not None:
        wanted.append(or_(*(_has(search.address, at) for at in (row.writer, row.envelope_sender))))
    if state is not None:
        wanted.append(row.state == state)
    return list(session.scalars(select(row).where(*wanted).order_by(row.id.desc()).limit(limit)))


def outgoing(
    session: Session, search: MailSearch, state: OutboxState | None, limit: int
) -> list[OutboxLetter]:
    """Return the newest written letters to an address, newest first."""
    row = OutboxLetter
    wanted = list(_belonging(row, search))
    wanted += _written(search, row.created_at)
    if search.address is not None:
        wanted.append(_has(search.address, row.recipient))
    if state is not None:
        wanted.append(row.state == state)
    return list(session.scalars(select(row).where(*wanted).order_by(row.id.desc()).limit(limit)))


def newest_from(session: Session, addresses: list[str]) -> datetime | None:
    """Return when the newest letter from these addresses arrived, or None."""
    query = select(InboxLetter.arrived_at).where(InboxLetter.writer.in_(addresses))
    return session.scalar(query.order_by(InboxLetter.id.desc()).limit(1))


def _belonging(
    row: type[InboxLetter | OutboxLetter], search: MailSearch
) -> Iterator[ColumnElement[bool]]:
    if search.game_id is not None:
        yield row.game_id == search.game_id
    if search.seat_number is not None:
        yield row.seat_number == search.seat_number


def _written(
    search: MailSearch, when: InstrumentedAttribute[datetime]
) -> Iterator[ColumnElement[bool]]:
    if search.day is not None:
        begin = datetime.combine(search.day, time(), UTC)
        yield when >= begin
        yield when < begin + timedelta(days=1)


def _has(part: str, column: InstrumentedAttribute[str]) -> ColumnElement[bool]:
    return column.icontains(part, autoescape=True)
