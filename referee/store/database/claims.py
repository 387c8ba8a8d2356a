"""Claims: a row belongs to the holder of its lease, and a fencing token tells owners apart.

Each claim increments the token; an owner with an older token has lost the row. Leases use the
database's clock on PostgreSQL, because the clocks of several machines differ, and the caller's
clock on SQLite.
"""

from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import (
    BindParameter,
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
from sqlalchemy.orm import Session

from referee.errors import ClaimLost
from referee.store.database.base import Base, Claimed, is_postgres, table

R = TypeVar("R", bound=Claimed)
T = TypeVar("T")


def lease_clock(session: Session, now: datetime) -> datetime:
    """Return the time for comparing leases: the server's on PostgreSQL, else *now*."""
    if not is_postgres(session):
        return now
    moment = session.scalar(select(func.clock_timestamp()))
    assert isinstance(moment, datetime)
    return moment


def unclaimed(rows: Any, clock: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """Return the SQL condition that nobody holds a row or that its lease has ended.

    *rows* is the class of the row or its columns.
    """
    return or_(rows.lease_until.is_(None), rows.lease_until <= clock)


def locking(query: Select[R]) -> Select[R]:
    """Skip rows locked by other claims (SKIP LOCKED).

    No effect on SQLite, which has one writer.
    """
    return query.with_for_update(skip_locked=True).execution_options(populate_existing=True)


def locked(query: Select[T]) -> Select[T]:
    """Lock the rows of a query, waiting for other transactions, and read their current values."""
    return query.with_for_update().execution_options(populate_existing=True)


def take(row: Claimed, owner: str, until: datetime) -> None:
    """Make *owner* the owner of the locked row and increment its fencing token."""
    row.owner = owner
    row.lease_until = until
    row.fence += 1


def taking(rows: type[Base], which: ColumnElement[bool], **more: Any) -> Update:
    """Build the statement for ``take`` on locked rows.

    Its parameters are ``claimant`` and ``until``.
    """
    drawn = table(rows)
    claim: dict[str, Any] = {"owner": bindparam("claimant"), "lease_until": bindparam("until")}
    return update(drawn).where(which).values(claim | {"fence": drawn.c.fence + 1} | more)


def taken(rows: type[Base], taking: Update) -> Executable:
    """Build the statement that claims rows and returns them as updated."""
    objects = select(rows).from_statement(taking.returning(table(rows)))
    return objects.execution_options(populate_existing=True)


def release(row: Claimed) -> None:
    """Release the row."""
    row.owner = None
    row.lease_until = None


def void(row: Claimed) -> None:
    """Release the row and increment its fence, so that writes of its owner are rejected."""
    release(row)
    row.fence += 1


def check_fence(what: str, *, found: int, claimed: int) -> None:
    """Raise ClaimLost unless the fencing token is still the one that was claimed."""
    if found != claimed:
        raise ClaimLost(f"{what} was claimed again: its fence is {found}, not {claimed}")
