"""Disk space: how much a database uses, and how unused space is returned."""

import sqlite3
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Engine, text

LOG_LIMIT: Final = 64 * 2**20
"""The maximum size of SQLite's write-ahead log after a checkpoint, in bytes."""
_PAGES: Final = 500
"""Pages returned to the disk at once: 2 MB, which takes a few milliseconds."""
_SPARE: Final = 250
"""Free pages that stay in the file for the next rows."""


@dataclass(frozen=True, slots=True)
class Room:
    """The size of a database in bytes, and how much of it is free for new rows.

    On PostgreSQL *free* is 0, because autovacuum manages it.
    """

    taken: int
    free: int = 0


def room(connection: Connection) -> Room:
    """Return how much disk space the database uses."""
    if connection.dialect.name == "postgresql":
        taken = connection.scalar(text("SELECT pg_database_size(current_database())"))
        return Room(int(taken or 0))
    size = _pragma(connection, "page_size")
    return Room(
        size * _pragma(connection, "page_count"), size * _pragma(connection, "freelist_count")
    )


def shrink(connection: Connection) -> int:
    """Return some free pages of an SQLite file to the disk; return their number.

    The number is 0 if few pages are free, and on PostgreSQL, which reuses its free space
    automatically.
    """
    if connection.dialect.name != "sqlite":
        return 0
    before = _pragma(connection, "freelist_count")
    if before <= _SPARE:
        return 0
    # Each row of the result returns one page to the disk.
    driver_of(connection).execute(f"PRAGMA incremental_vacuum({_PAGES})").fetchall()
    return before - _pragma(connection, "freelist_count")


def damage(connection: Connection) -> str:
    """Return the first damage that SQLite finds in its pages, or "".

    It reads every page. A server checks its own files.
    """
    if connection.dialect.name != "sqlite":
        return ""
    words = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
    return "" if words == "ok" else " ".join(words.split())


def rebuild(engine: Engine) -> None:
    """Rewrite the file of an SQLite database without free pages; other users wait.

    On PostgreSQL, all tables are vacuumed as autovacuum does.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("VACUUM (ANALYZE)")
            return
        driver = driver_of(connection)
        driver.execute("PRAGMA query_only=OFF")
        connection.info.pop("query_only", None)
        driver.execute("VACUUM")
        driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def driver_of(connection: Connection) -> sqlite3.Connection:
    """Return the driver's connection to an SQLite database."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _pragma(connection: Connection, pragma: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() or 0)
