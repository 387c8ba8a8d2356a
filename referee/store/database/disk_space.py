"""The room that a database takes on the disk, and how it gets back what nobody needs."""

import sqlite3
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Engine, text

LOG_LIMIT: Final = 64 * 2**20
"""How large SQLite's log may stay once it was written into the file."""
_PAGES: Final = 500
"""How many pages are given back at once: 2 MB, which takes a few milliseconds."""
_SPARE: Final = 250
"""So many free pages stay in the file, for what is written next."""
_INCREMENTAL: Final = 2


@dataclass(frozen=True, slots=True)
class Room:
    """What a database takes, in octets, and how much of that is free for new rows.

    Of PostgreSQL *free* is 0: its own autovacuum knows.
    """

    taken: int
    free: int = 0


def room(connection: Connection) -> Room:
    """Return how much room the database takes."""
    if connection.dialect.name == "postgresql":
        taken = connection.scalar(text("SELECT pg_database_size(current_database())"))
        return Room(int(taken or 0))
    size = _asked(connection, "page_size")
    return Room(
        size * _asked(connection, "page_count"), size * _asked(connection, "freelist_count")
    )


def shrink(connection: Connection) -> int:
    """Return some free pages of an SQLite file back to the disk, and return how many.

    It gives none where few are free, where the file was not made for it, and in PostgreSQL, which
    uses its free room again by itself.
    """
    if connection.dialect.name != "sqlite" or _asked(connection, "auto_vacuum") != _INCREMENTAL:
        return 0
    before = _asked(connection, "freelist_count")
    if before <= _SPARE:
        return 0
    # It gives back one page a row.
    _driver(connection).execute(f"PRAGMA incremental_vacuum({_PAGES})").fetchall()
    return before - _asked(connection, "freelist_count")


def rebuild(engine: Engine) -> None:
    """Write the file of an SQLite database anew, without free pages; others wait meanwhile.

    PostgreSQL's tables are vacuumed as its own autovacuum would.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("VACUUM (ANALYZE)")
            return
        driver = _driver(connection)
        driver.execute("PRAGMA query_only=OFF")
        connection.info.pop("query_only", None)
        driver.execute(f"PRAGMA auto_vacuum={_INCREMENTAL}")
        driver.execute("VACUUM")
        driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _asked(connection: Connection, pragma: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() or 0)
