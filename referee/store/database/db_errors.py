"""Translation of database errors into the referee's own."""

import sqlite3

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from referee.errors import (
    Finding,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreOutdated,
    StoreUnreachable,
    StoreUnwritable,
)

# The first words of SQLite's error names; extended codes only extend them.
_SQLITE = {
    "SQLITE_BUSY": StoreBusy,
    "SQLITE_LOCKED": StoreBusy,
    "SQLITE_READONLY": StoreUnwritable,
    "SQLITE_FULL": StoreUnwritable,
    "SQLITE_CANTOPEN": StoreUnwritable,
    "SQLITE_IOERR": StoreUnwritable,
    "SQLITE_PERM": StoreUnwritable,
    "SQLITE_CORRUPT": StoreDamaged,
    "SQLITE_NOTADB": StoreDamaged,
}

# Prefixes of PostgreSQL's SQLSTATE codes.
_POSTGRES = {
    "40": StoreBusy,  # serialization failure, deadlock
    "55P03": StoreBusy,  # lock timeout
    "25P03": StoreUnreachable,  # idle in a transaction for too long
    "23505": StoreBusy,  # another transaction just wrote the same; a retry sees it
    "08": StoreUnreachable,
    "57P": StoreUnreachable,  # the server is stopping or starting
    "53300": StoreUnreachable,  # too many connections
    "53": StoreUnwritable,  # out of disk or memory
    "25006": StoreUnwritable,  # read only
    "28": StoreUnwritable,  # access denied
    "3D": StoreUnwritable,  # no such database
    "42P01": StoreOutdated,  # no such table
    "42703": StoreOutdated,  # no such column
}


def damaged(reason: str) -> StoreDamaged:
    """Return the error for a damaged database, with what to do."""
    remedy = "stop the referee, keep the file, and `referee restore --force` the last backup"
    return StoreDamaged(Finding(f"database: damaged: {reason}", remedy))


def unwritable(words: str) -> StoreUnwritable:
    """Return the error for a database that cannot be written, with what to do."""
    remedy = "free some disk space; `referee doctor disk state database` says what else is wrong"
    return StoreUnwritable(Finding(words, remedy))


def translate(error: DBAPIError | sqlite3.Error) -> StoreError | None:
    """Return the referee's error for a database error, or None if it is a bug in the program."""
    complaint = error.orig if isinstance(error, DBAPIError) else error
    kind = _kind(complaint)
    if kind is StoreDamaged:
        return damaged(str(complaint))
    words = f"database: {' '.join(str(complaint).split())}"
    if kind is StoreUnwritable:
        return unwritable(words)
    return None if kind is None else kind(words)


def concerns_database(error: BaseException) -> bool:
    """Return whether an error comes from the database, so that its transaction is lost."""
    return isinstance(error, SQLAlchemyError | sqlite3.Error | StoreError)


def _kind(complaint: BaseException | None) -> type[StoreError] | None:
    if isinstance(complaint, sqlite3.Error):
        return _sqlite_kind(complaint)
    return _postgres_kind(complaint)


def _postgres_kind(complaint: BaseException | None) -> type[StoreError] | None:
    # Without PostgreSQL, a command need not spend the time to import its driver.
    from psycopg import DataError
    from psycopg import Error as PostgresError

    if isinstance(complaint, PostgresError) and complaint.sqlstate:
        state = complaint.sqlstate
        # The longest prefix decides, so that 53300 does not count as a full disk.
        known = [start for start in _POSTGRES if state.startswith(start)]
        return _POSTGRES[max(known, key=len)] if known else None
    if isinstance(complaint, DataError):
        # The driver itself rejects the value and would do so again.
        return None
    # psycopg gives no code when the connection itself is lost.
    return StoreUnreachable if isinstance(complaint, PostgresError) else None


def _sqlite_kind(complaint: sqlite3.Error) -> type[StoreError] | None:
    name: str = getattr(complaint, "sqlite_errorname", "")
    if str(complaint).startswith(("no such table", "no such column")):
        return StoreOutdated
    return next((kind for start, kind in _SQLITE.items() if name.startswith(start)), None)
