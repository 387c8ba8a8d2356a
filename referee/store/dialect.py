"""What SQLite and PostgreSQL spell differently."""

from typing import Any, TypeVar

from sqlalchemy import func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from referee.store.models import Base

R = TypeVar("R", bound=Base)


def is_postgres(session: Session) -> bool:
    """Say whether the database is a server that several machines may share."""
    return session.get_bind().dialect.name == "postgresql"


def insert_unless_there(session: Session, row: type[R], **values: Any) -> R | None:
    """Insert a row and give it; do nothing when one with the same unique values is there already.

    Two transactions that do it at once leave one row, and both go on.
    """
    insert = postgresql.insert if is_postgres(session) else sqlite.insert
    return session.scalar(insert(row).values(**values).on_conflict_do_nothing().returning(row))


def follow_each_other(session: Session, what: str) -> None:
    """Let transactions that do *what* wait for each other until they end.

    On SQLite all writers do so anyway.
    """
    if is_postgres(session):
        session.execute(select(func.pg_advisory_xact_lock(func.hashtext(f"referee {what}"))))
