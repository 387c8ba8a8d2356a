"""Claims: a row belongs to whoever holds its lease, and the fence tells owners apart.

Claiming counts the fence up; whoever comes back with an older fence has lost the row. Leases run by
the database's clock on PostgreSQL, because the clocks of several machines differ, and by the
caller's clock on SQLite.
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
from referee.store.database.base import Base, Claimed
from referee.store.database.dialect import is_postgres, table

R = TypeVar("R", bound=Claimed)
T = TypeVar("T")


def lease_clock(session: Session, now: datetime) -> datetime:
    """Return the moment by which leases are compared: the database's where there is a server."""
    if not is_postgres(session):
        return now
    moment = session.scalar(select(func.clock_timestamp()))
    assert isinstance(moment, datetime)
    return moment


def unclaimed(
    rows: type[Claimed], clock: datetime | BindParameter[datetime]
) -> ColumnElement[bool]:
    """Say in SQL that nobody holds the row, or its lease has run out."""
    return or_(rows.lease_until.is_(None), rows.lease_until <= clock)


def locking(query: Select[R]) -> Select[R]:
    """Let a claiming query pass over rows that another claim is just about to take.

    On SQLite writers follow each other, and the words mean nothing.
    """
    return query.with_for_update(skip_locked=True).execution_options(populate_existing=True)


def locked(query: Select[T]) -> Select[T]:
    """Let a query wait for whoever holds the rows, and read them as he left them."""
    return query.with_for_update().execution_options(populate_existing=True)


def take(row: Claimed, owner: str, until: datetime) -> None:
    """Make *owner* the owner of the locked row and count its fence up."""
    row.owner = owner
    row.lease_until = until
    row.fence += 1


def taking(rows: type[Base], which: ColumnElement[bool], **more: Any) -> Update:
    """Return what does ``take`` to rows that are locked: for ``claimant``, until ``until``."""
    drawn = table(rows)
    claim: dict[str, Any] = {"owner": bindparam("claimant"), "lease_until": bindparam("until")}
    return update(drawn).where(which).values(claim | {"fence": drawn.c.fence + 1} | more)


def taken(rows: type[Base], taking: Update) -> Executable:
    """Return what takes rows and gives them as they are then."""
    objects = select(rows).from_statement(taking.returning(table(rows)))
    return objects.execution_options(populate_existing=True)


def release(row: Claimed) -> None:
    """Leave the row to anybody."""
    row.owner = None
    row.lease_until = None


def void(row: Claimed) -> None:
    """Take the row from whoever holds it: what he does afterwards is refused."""
    release(row)
    row.fence += 1


def check_fence(what: str, *, found: int, claimed: int) -> None:
    """Raise ClaimLost unless the fence found is the one that was claimed."""
    if found != claimed:
        raise ClaimLost(f"{what} was claimed again: its fence is {found}, ours was {claimed}")
