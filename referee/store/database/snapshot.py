"""Backup of a whole database in one file: taken while it is in use, checked, restored."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, text

from referee.errors import Finding, ResourceError, StoreError
from referee.store.database.db_errors import damaged
from referee.store.database.opening import is_unwritable, open_unwritable

_PATIENCE: Final = 10.0  # seconds
_SUFFIXES: Final = ("", "-wal", "-shm")
_DUMP: Final = ("--format=custom", "--no-owner", "--no-privileges")
# All or nothing; tables that are not in the backup are dropped.
_RESTORE: Final = (
    "--clean",
    "--if-exists",
    "--no-owner",
    "--no-privileges",
    "--single-transaction",
    "--exit-on-error",
)


def take(url: URL, out: Path) -> None:
    """Write one moment of the database to the new file *out* and check it.

    Others can write at the same time. Raises StoreError if the database is damaged, and
    ResourceError if PostgreSQL's tools are missing.
    """
    if url.get_backend_name() == "postgresql":
        _run("pg_dump", url, *_DUMP, f"--file={out}", f"--dbname={url.database}")
    else:
        _copy(Path(str(url.database)), out)
    check(url, out)


def check(url: URL, file: Path) -> None:
    """Raise StoreError unless *file* is a complete database of the kind of *url*."""
    if url.get_backend_name() == "postgresql":
        _run("pg_restore", url, "--list", str(file))
        return
    try:
        with closing(sqlite3.connect(file)) as database:
            problems = [row[0] for row in database.execute("PRAGMA integrity_check")]
            broken = database.execute("PRAGMA foreign_key_check").fetchall()
            tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise damaged(str(error)) from error
    if problems != ["ok"] or broken or not tables:
        words = problems[0] if problems != ["ok"] else f"{len(broken)} rows have broken references"
        raise damaged(words if tables else "it is empty")


def refuse_others(connection: Connection) -> None:
    """Raise ResourceError if other programs are connected to the database of a server."""
    others = connection.scalar(
        text(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
    )
    if others:
        what = "database in use: other programs are connected to it"
        remedy = "stop the referees on all machines; nothing was restored"
        raise ResourceError(Finding(what, remedy, "connections", str(others)))


def put_back(url: URL, file: Path, aside: str) -> None:
    """Replace the database of *url*, which nobody uses, with the checked *file*, moving it.

    An existing SQLite file stays next to it, with *aside* appended to its name.
    """
    if url.get_backend_name() == "postgresql":
        _run("pg_restore", url, *_RESTORE, f"--dbname={url.database}", str(file))
        return
    place = str(url.database)
    for suffix in _SUFFIXES:
        if (old := Path(place + suffix)).exists():
            old.rename(f"{place}{aside}{suffix}")
    file.replace(place)


def _copy(database: Path, out: Path) -> None:
    try:
        with closing(_source(database)) as source, closing(sqlite3.connect(out)) as target:
            source.backup(target)
            # The copy is a single file, without a write-ahead log next to it.
            target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise StoreError(f"database: cannot be copied: {error}") from error


def _source(database: Path) -> sqlite3.Connection:
    """Open the file to be copied, whatever its disk allows. Raises sqlite3.Error."""
    source = sqlite3.connect(database)
    try:
        source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error as complaint:
        source.close()
        if not is_unwritable(complaint):
            raise
        return open_unwritable(database, _PATIENCE)
    return source


def _run(program: str, url: URL, *arguments: str) -> None:
    """Run a PostgreSQL tool; the password is in the environment, hidden from others."""
    if shutil.which(program) is None:
        remedy = "install the PostgreSQL client of the server's version (Debian: postgresql-client)"
        raise ResourceError(Finding(f"{program}: not installed", remedy))
    options = {"PGHOST": url.host, "PGPORT": url.port, "PGUSER": url.username}
    options |= {"PGPASSWORD": url.password} | dict(_url_options(url))
    environment = {name: str(value) for name, value in options.items() if value is not None}
    done = _completed([program, *arguments], environment)
    if done.returncode:
        words = " ".join(done.stderr.split())
        raise StoreError(f"{program}: {words}")


def _url_options(url: URL) -> Sequence[tuple[str, str]]:
    """Return the connection options in the query part of a database URL."""
    names = {"host": "PGHOST", "port": "PGPORT", "sslmode": "PGSSLMODE"}
    return [(names[name], str(value)) for name, value in url.query.items() if name in names]


def _completed(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - the tools of PostgreSQL; no shell reads this
        command,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
