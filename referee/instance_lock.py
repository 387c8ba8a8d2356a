"""Lock of a running referee on its database; the system releases it when the process ends."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from referee.clock import now
from referee.errors import Finding, ResourceError
from referee.settings import Settings
from referee.state_dir import database_file, refuse_root

_RUNS: Final = "database in use: a referee is running"
RESTORES: Final = "database in use: a restore is in progress"
MOVES: Final = "database in use: move-database is in progress"
BEGINS: Final = "database in use: referee site is in progress"


@contextmanager
def running(settings: Settings) -> Iterator[None]:
    """Hold the lock: exclusively for an SQLite file, shared for a PostgreSQL database.

    Raises ResourceError while another referee runs on that file, or during a restore, and for root
    in the state folder of another user.
    """
    remedy = "keep that one or stop it first; use PostgreSQL to run several"
    lock = fcntl.LOCK_EX
    if database_file(settings) is None:
        lock, remedy = fcntl.LOCK_SH, "wait until it is done"
    with _locked(settings, lock, _RUNS, remedy):
        yield


@contextmanager
def alone(settings: Settings, deed: str) -> Iterator[None]:
    """Keep referees from starting during *deed*.

    Raises ResourceError while one runs, and for root in the state folder of another user.
    """
    with _locked(settings, fcntl.LOCK_EX, deed, "stop it or wait until it is done"):
        yield


def is_held(settings: Settings) -> bool:
    """Return whether a referee runs on this machine, or a program that keeps it from starting."""
    try:
        with _place(settings).open() as channel:
            fcntl.flock(channel, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        # It is locked, or this user cannot know.
        return True
    return False


def _place(settings: Settings) -> Path:
    """Return the file to lock. It is next to an SQLite file, whatever settings lead to it."""
    database = database_file(settings)
    if database is None:
        return settings.state_dir / "running"
    database = database.resolve()
    return database.with_name(f"{database.name}.running")


@contextmanager
def _locked(settings: Settings, lock: int, deed: str, remedy: str) -> Iterator[None]:
    refuse_root(settings)
    file = _place(settings)
    try:
        channel = file.open("a+")
    except OSError as error:
        what = f"state folder: cannot be written: {error.strerror}"
        to_do = "run this as the referee's user, or free some disk space"
        raise ResourceError(Finding(what, to_do, "folder", str(file.parent))) from error
    with channel:
        try:
            fcntl.flock(channel, lock | fcntl.LOCK_NB)
        except BlockingIOError as error:
            # Do not name the lock file, because deleting it would remove the lock.
            database = database_file(settings) or settings.state_dir
            finding = Finding(_holder(channel), remedy, "database", str(database))
            raise ResourceError(finding) from error
        except OSError as error:
            what = f"lock file: cannot be locked: {error.strerror}"
            to_do = "put the state on a local disk of this machine"
            raise ResourceError(Finding(what, to_do, "file", str(file))) from error
        _sign(channel, deed if lock == fcntl.LOCK_EX else "")
        yield


def _holder(channel: IO[str]) -> str:
    """Return the holder's words about its work; shared holders leave no text."""
    channel.seek(0)
    return channel.read().strip() or _RUNS


def _sign(channel: IO[str], deed: str) -> None:
    """Write the holder into the lock file, for other programs to show."""
    channel.truncate(0)
    if deed:
        channel.write(f"{deed}: process {os.getpid()}, since {now():%Y-%m-%d %H:%M} UTC\n")
        channel.flush()
