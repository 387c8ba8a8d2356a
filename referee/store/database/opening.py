"""An SQLite file opened for reading where nothing can be written."""

import sqlite3
from pathlib import Path
from typing import Final

_UNWRITABLE: Final = frozenset(
    {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}
)


def is_unwritable(complaint: sqlite3.Error) -> bool:
    """Return whether a file cannot be opened because its disk is full or read-only."""
    return (getattr(complaint, "sqlite_errorcode", 0) & 0xFF) in _UNWRITABLE


def open_unwritable(file: Path, patience: float) -> sqlite3.Connection:
    """Open a file for reading, on a disk that is full or read-only.

    SQLite needs files of its own next to a database with a write-ahead log. If it cannot make them
    and the log is empty, nobody uses the database, and it is read as it is. Raises sqlite3.Error.
    """
    try:
        return _opened(file, "mode=ro", patience)
    except sqlite3.Error as complaint:
        log = file.with_name(f"{file.name}-wal")
        if not is_unwritable(complaint) or (log.exists() and log.stat().st_size):
            raise
    return _opened(file, "mode=ro&immutable=1", patience)


def _opened(file: Path, how: str, patience: float) -> sqlite3.Connection:
    place = f"{file.resolve().as_uri()}?{how}"
    connection = sqlite3.connect(place, uri=True, timeout=patience, check_same_thread=False)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection
