"""What SQLite and PostgreSQL spell differently."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Insert, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session
from sqlalchemy.sql.dml import ReturningInsert

from referee.store.database.base import Base


def is_postgres(session: Session) -> bool:
    """Return whether the database is a server that several machines may share."""
    return session.get_bind().dialect.name == "postgresql"


def insert_unless_there(session: Session, row: type[Base], **values: Any) -> int | None:
    """Insert a row and give its id; do nothing when one with the same unique values is there.

    Two transactions that do it at once leave one row, and both go on.
    """
    insertion = _numbering(row, postgres=is_postgres(session))
    inserted: int | None = session.scalar(insertion, values)
    return inserted


def insert_those_missing(
    session: Session, row: type[Base], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert rows in one go, all but those with the same unique values as one that is there."""
    if rows:
        session.execute(_inserting(row, postgres=is_postgres(session)), rows)


def follow_each_other(session: Session, what: str) -> None:
    """Let transactions that do *what* wait for each other until they end.

    On SQLite all writers do so anyway.
    """
    if is_postgres(session):
        session.execute(select(func.pg_advisory_xact_lock(func.hashtext(f"referee {what}"))))


def table(rows: type[Base]) -> Table:
    """Return the table of *rows*, for statements that every letter needs: they make no objects."""
    drawn = rows.__table__
    assert isinstance(drawn, Table)
    return drawn


@cache
def _numbering(row: type[Base], *, postgres: bool) -> ReturningInsert[int]:
    return _inserting(row, postgres=postgres).returning(table(row).c.id)


@cache
def _inserting(row: type[Base], *, postgres: bool) -> Insert:
    insert = postgresql.insert(table(row)) if postgres else sqlite.insert(table(row))
    return insert.on_conflict_do_nothing()
