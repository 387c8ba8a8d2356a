"""Whether a referee runs with a state folder: they share a lock there, which dies with them."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from referee.errors import Finding, PlaceError

_FILE: Final = "running"


@contextmanager
def running(state_dir: Path) -> Iterator[None]:
    """Be one of the referees that run. Raises PlaceError while a backup is being put back."""
    with _locked(state_dir, fcntl.LOCK_SH, "a backup is just being restored here"):
        yield


@contextmanager
def alone(state_dir: Path) -> Iterator[None]:
    """Keep referees from being started. Raises PlaceError while one runs."""
    with _locked(state_dir, fcntl.LOCK_EX, "a referee runs here"):
        yield


@contextmanager
def _locked(state_dir: Path, lock: int, trouble: str) -> Iterator[None]:
    try:
        channel = (state_dir / _FILE).open("a")
    except OSError as error:
        what = f"the folder for the referee's state cannot be written: {error.strerror}"
        remedy = "run this as the user of the referee, or make room"
        raise PlaceError(Finding(what, remedy, "folder", str(state_dir))) from error
    with channel:
        try:
            fcntl.flock(channel, lock | fcntl.LOCK_NB)
        except BlockingIOError as error:
            remedy = "stop it, or wait until it is done"
            raise PlaceError(Finding(trouble, remedy, "folder", str(state_dir))) from error
        yield
