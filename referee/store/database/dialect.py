"""Differences between SQLite and PostgreSQL."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Insert, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session
from sqlalchemy.sql.dml import ReturningInsert

from referee.store.database.base import Base


def is_postgres(session: Session) -> bool:
    """Return whether the database is a server, which several machines can share."""
    return session.get_bind().dialect.name == "postgresql"


def insert_unless_there(session: Session, row: type[Base], **values: Any) -> int | None:
    """Insert a row and return its id, or None if one with the same unique values exists.

    Two concurrent transactions insert one row, and both continue.
    """
    insertion = _numbering(row, postgres=is_postgres(session))
    inserted: int | None = session.scalar(insertion, values)
    return inserted


def insert_those_missing(
    session: Session, row: type[Base], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert all rows in one statement, except those whose unique values exist."""
    if rows:
        session.execute(_inserting(row, postgres=is_postgres(session)), rows)


def insert_or_add(
    session: Session, row: type[Base], key: str, column: str, rows: Sequence[Mapping[str, Any]]
) -> dict[Any, int]:
    """Insert rows in one statement; for those whose primary key exists, add to *column*.

    Returns the new number for each value of *key*. The rows are locked in the order given.
    """
    adding = _adding(row, key, column, postgres=is_postgres(session))
    return {each[0]: each[1] for each in session.execute(adding, rows)}


def follow_each_other(session: Session, what: str) -> None:
    """Serialize transactions that do *what*: each waits until the previous one ends.

    No effect on SQLite, where all writers are serialized.
    """
    if is_postgres(session):
        session.execute(select(func.pg_advisory_xact_lock(func.hashtext(f"referee {what}"))))


def table(rows: type[Base]) -> Table:
    """Return the table of *rows*, for frequent statements that need no ORM objects."""
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


@cache
def _adding(row: type[Base], key: str, column: str, *, postgres: bool) -> ReturningInsert[Any, int]:
    insert = postgresql.insert(table(row)) if postgres else sqlite.insert(table(row))
    here, keys = table(row).c[column], table(row).primary_key.columns
    added = {column: here + insert.excluded[column]}
    return insert.on_conflict_do_update(index_elements=list(keys), set_=added).returning(
        table(row).c[key], here
    )
