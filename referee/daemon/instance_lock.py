"""Whether a referee runs on a database: it holds a lock of the system, which dies with it."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from referee.app import database_file
from referee.clock import now
from referee.errors import Finding, ResourceError
from referee.settings import Settings

_RUNS: Final = "a referee runs on this database"
RESTORES: Final = "a backup is just being restored into this database"
MOVES: Final = "this database is just being moved"


@contextmanager
def running(settings: Settings) -> Iterator[None]:
    """Be the referee that runs on an SQLite file, or one of those on a PostgreSQL database.

    Raises ResourceError while another runs on that file, or while a backup is being put back.
    """
    remedy = "let that one go on, or stop it first; several at once need PostgreSQL"
    lock = fcntl.LOCK_EX
    if database_file(settings) is None:
        lock, remedy = fcntl.LOCK_SH, "wait until it is done"
    with _locked(settings, lock, _RUNS, remedy):
        yield


@contextmanager
def alone(settings: Settings, deed: str) -> Iterator[None]:
    """Keep referees from being started for a *deed*. Raises ResourceError while one runs."""
    with _locked(settings, fcntl.LOCK_EX, deed, "stop it, or wait until it is done"):
        yield


def _place(settings: Settings) -> Path:
    """Return the file to lock: beside an SQLite file, so that no other settings lead around it."""
    database = database_file(settings)
    if database is None:
        return settings.state_dir / "running"
    database = database.resolve()
    return database.with_name(f"{database.name}.running")


@contextmanager
def _locked(settings: Settings, lock: int, deed: str, remedy: str) -> Iterator[None]:
    file = _place(settings)
    try:
        channel = file.open("a+")
    except OSError as error:
        what = f"the folder for the referee's state cannot be written: {error.strerror}"
        to_do = "run this as the user of the referee, or make room"
        raise ResourceError(Finding(what, to_do, "folder", str(file.parent))) from error
    with channel:
        try:
            fcntl.flock(channel, lock | fcntl.LOCK_NB)
        except BlockingIOError as error:
            # Who is shown the locked file might take it away, and the lock with it.
            database = database_file(settings) or settings.state_dir
            finding = Finding(_holder(channel), remedy, "database", str(database))
            raise ResourceError(finding) from error
        except OSError as error:
            what = f"the file that says whether a referee runs cannot be locked: {error.strerror}"
            to_do = "keep the state on a disk of this machine"
            raise ResourceError(Finding(what, to_do, "file", str(file))) from error
        _sign(channel, deed if lock == fcntl.LOCK_EX else "")
        yield


def _holder(channel: IO[str]) -> str:
    """Return what whoever holds the lock is doing; of several together nobody signs."""
    channel.seek(0)
    return channel.read().strip() or _RUNS


def _sign(channel: IO[str], deed: str) -> None:
    """Write who holds the lock, for whoever wants it meanwhile."""
    channel.truncate(0)
    if deed:
        channel.write(f"{deed}: process {os.getpid()}, since {now():%Y-%m-%d %H:%M} UTC\n")
        channel.flush()
