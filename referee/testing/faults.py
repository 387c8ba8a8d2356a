"""Crash points: every change a program makes outside its own memory, and a crash at one.

The program does not know about it, and no list of places is kept. The interpreter reports files
that are made, renamed or removed, and commands to mail servers (``sys.audit``). SQLite reports
transactions that commit a change. A program that dies just before a change has done everything
before it, so a crash just after every change but the last is covered too. The files a program wrote
survive its death even if they are not synced, so syncing is not a point.
"""

import multiprocessing
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_FORK: Final = multiprocessing.get_context("fork")
_PATIENCE_SECONDS: Final = 60.0
_LOOKS: Final = frozenset({"os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.chdir"})
"""The file events of the interpreter that change nothing; every other one is a change."""
_COMMANDS: Final = frozenset({"smtplib.send", "imaplib.send"})
_LONGEST_COMMAND: Final = 200
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a run: the points it reached, or none if it was killed."""

    points: tuple[str, ...]
    killed: bool


def run(action: Callable[[], object], folder: Path, at: int = 0) -> Ending:
    """Call *action* in a child process, which dies just before its *at*-th point, if any.

    Points are changes in *folder*, commits, and commands to mail servers, counted from 1. A file
    that is opened for writing has two points, before and after it exists. This program must have no
    other threads. Raises RuntimeError if the action raises or does not end.
    """
    here, there = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=_run_child, args=(action, Faults(folder, at), there))
    child.start()
    there.close()
    try:
        points = here.recv()
    except EOFError:
        points = ()
    child.join(_PATIENCE_SECONDS)
    if child.exitcode not in (0, -signal.SIGKILL):
        child.kill()
        raise RuntimeError(f"the action failed: {child.exitcode}")
    return Ending(points, killed=child.exitcode != 0)


class Faults:
    """A counter of the points a program reaches, which ends it just before one of them."""

    def __init__(self, folder: Path, at: int = 0) -> None:
        self.points: list[str] = []
        self._folder = str(folder.absolute())
        self._at = at

    def watch(self) -> None:
        """Begin to count. An audit hook cannot be removed, so this lasts until the program ends."""
        connect = sqlite3.connect

        def watched(*arguments: Any, **options: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*arguments, **options)
            connection.set_trace_callback(_Commits(connection, self._reach).trace)
            return connection

        for place in (sqlite3, sqlite3.dbapi2):
            vars(place)["connect"] = watched
        sys.addaudithook(self._audit)

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            self._opened(*arguments)
        elif event in _COMMANDS:
            self._reach(f"{event} {_verb(event, arguments[1])}")
        elif event.startswith("os.") and self._changes(event, arguments):
            self._reach(event)

    def _changes(self, event: str, arguments: tuple[Any, ...]) -> bool:
        """Return whether a system call changes anything in our folder."""
        if event in _LOOKS or not any(map(self._is_ours, arguments)):
            return False
        # mkdir makes no folder that already exists.
        return event != "os.mkdir" or not Path(arguments[0]).is_dir()

    def _opened(self, path: Any, _mode: str | None, flags: int) -> None:
        if not flags & _WRITES or not self._is_ours(path):
            return
        name = Path(os.fsdecode(path)).parent.name
        self._reach(f"open a file in {name}")
        if len(self.points) + 1 == self._at:
            # No event reports that the file exists now, so it is made here as the program would.
            self._at = 0
            os.close(os.open(path, flags | os.O_CREAT, 0o600))
            _die()
        self._reach(f"opened a file in {name}")

    def _is_ours(self, path: Any) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False
        return os.fsdecode(path).startswith(self._folder)

    def _reach(self, point: str) -> None:
        self.points.append(point)
        if len(self.points) == self._at:
            _die()


class _Commits:
    """A trace of the statements of a connection, which reports commits of real changes."""

    def __init__(self, connection: sqlite3.Connection, reach: Callable[[str], None]) -> None:
        self._connection = connection
        self._reach = reach
        self._changes = 0

    def trace(self, statement: str) -> None:
        """Count the changes before a transaction; a commit without changes is not a point."""
        if statement.startswith("BEGIN"):
            self._changes = self._connection.total_changes
        elif statement == "COMMIT" and self._connection.total_changes != self._changes:
            self._reach("commit")


def _run_child(action: Callable[[], object], faults: Faults, results: Any) -> None:
    faults.watch()
    action()
    results.send(tuple(faults.points))


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _verb(event: str, sent: str | bytes) -> str:
    """Return the verb of a command to a mail server, or what a longer text is."""
    text = sent.decode("latin-1") if isinstance(sent, bytes) else sent
    # An IMAP command begins with its number.
    words = text.split()[event.startswith("imap") :]
    if len(text) > _LONGEST_COMMAND or not words:
        return "a letter" if words else "a line's end"
    # UID is only half of a verb.
    return " ".join(words[: 1 + (words[0].upper() == "UID")]).upper()
