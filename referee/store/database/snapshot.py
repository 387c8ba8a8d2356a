"""A whole database as one file: taken while others work on it, checked, and put back."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import URL

from referee.errors import Finding, ResourceError, StoreError

_COMPANIONS: Final = ("", "-wal", "-shm")
_DUMP: Final = ("--format=custom", "--no-owner", "--no-privileges")
# All or nothing, and what the backup does not have is not left standing.
_RESTORE: Final = (
    "--clean",
    "--if-exists",
    "--no-owner",
    "--no-privileges",
    "--single-transaction",
    "--exit-on-error",
)


def take(url: URL, out: Path) -> None:
    """Write one moment of the database to *out*, which it makes, and check it.

    Others go on writing meanwhile. Raises StoreError when the copy is damaged, because the
    database is; ResourceError when PostgreSQL's own tools are missing.
    """
    if url.get_backend_name() == "postgresql":
        _run("pg_dump", url, *_DUMP, f"--file={out}", f"--dbname={url.database}")
    else:
        _copy(Path(str(url.database)), out)
    check(url, out)


def check(url: URL, file: Path) -> None:
    """Raise StoreError unless *file* is a whole database of the kind of *url*."""
    if url.get_backend_name() == "postgresql":
        _run("pg_restore", url, "--list", str(file))
        return
    try:
        with closing(sqlite3.connect(file)) as database:
            said = [row[0] for row in database.execute("PRAGMA integrity_check")]
            lost = database.execute("PRAGMA foreign_key_check").fetchall()
            tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise StoreError(f"the database is damaged: {error}") from error
    if said != ["ok"] or lost or not tables:
        words = said[0] if said != ["ok"] else f"{len(lost)} rows point nowhere"
        raise StoreError(f"the database is damaged: {words if tables else 'it is empty'}")


def put_back(url: URL, file: Path, aside: str) -> None:
    """Make the checked *file*, which is used up, the database of *url*; nobody may be using it.

    An SQLite file that was there lies beside it afterwards, with *aside* behind its name.
    """
    if url.get_backend_name() == "postgresql":
        _run("pg_restore", url, *_RESTORE, f"--dbname={url.database}", str(file))
        return
    place = str(url.database)
    for companion in _COMPANIONS:
        if (old := Path(place + companion)).exists():
            old.rename(f"{place}{aside}{companion}")
    file.replace(place)


def _copy(database: Path, out: Path) -> None:
    try:
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(out)) as target:
            source.backup(target)
            # A file of its own, with nothing of it in a write-ahead log beside it.
            target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise StoreError(f"the database cannot be copied: {error}") from error


def _run(program: str, url: URL, *arguments: str) -> None:
    """Run a tool of PostgreSQL; the password goes by the environment, where nobody else looks."""
    if shutil.which(program) is None:
        remedy = "install the client of the server's version (Debian: postgresql-client)"
        raise ResourceError(Finding(f"PostgreSQL's {program} is not installed", remedy))
    told = {"PGHOST": url.host, "PGPORT": url.port, "PGUSER": url.username}
    told |= {"PGPASSWORD": url.password} | dict(_queried(url))
    environment = {name: str(value) for name, value in told.items() if value is not None}
    done = _finished([program, *arguments], environment)
    if done.returncode:
        words = " ".join(done.stderr.split())
        raise StoreError(f"{program} says: {words}")


def _queried(url: URL) -> Sequence[tuple[str, str]]:
    """Return what the address of a database says behind its question mark."""
    names = {"host": "PGHOST", "port": "PGPORT", "sslmode": "PGSSLMODE"}
    return [(names[name], str(value)) for name, value in url.query.items() if name in names]


def _finished(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - the tools of PostgreSQL; no shell reads this
        command,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
