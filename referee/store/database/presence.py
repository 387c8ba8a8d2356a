"""The file of an SQLite database and its log, while they are the ones that were opened."""

import os
import sqlite3
from pathlib import Path
from threading import Lock

from referee.errors import Finding, StoreGone, StoreLogGone
from referee.store.database.db_errors import unwritable
from referee.store.database.opening import is_unwritable

_REMEDY = (
    "put the file back, with the -wal file next to it; otherwise stop the referee and run "
    "`referee restore --force` on the last backup"
)
_SAVED = "restart the referee: everything that was stored is in the database again"
_NOT_SAVED = (
    "put the -wal file back while the referee runs; if it is lost, restart the referee, run "
    "`referee doctor database`, and if that finds damage `referee restore --force` the last backup"
)

_Identity = tuple[int, int]
"""The device and the inode of a file."""


class DatabaseFile:
    """The file of a database that others can delete or replace while it is open, and its log.

    SQLite would write on into a file without a name, and everything would be lost in the end. It
    deletes the log itself when the last connection closes, so one connection stays open here. The
    content of a lost log is still there for that connection, which moves it into the database.
    """

    def __init__(self, path: Path, patience: float) -> None:
        self._path, self._patience = path, patience
        # SQLite keeps the log next to the file itself, not next to a link to it.
        self._log = Path(f"{os.path.realpath(path)}-wal")
        self._opened: _Identity | None = None
        self._opened_log: _Identity | None = None
        self._kept_open: sqlite3.Connection | None = None
        self._is_saved = False
        self._busy = Lock()

    def check(self) -> None:
        """Raise StoreGone unless the file and its log are the same as at the first call.

        Raises sqlite3.Error if the file cannot be opened at the first call.
        """
        try:
            found = _identity(self._path)
        except OSError as error:
            what = f"database: the file cannot be found: {error.strerror}"
            raise StoreGone(Finding(what, _REMEDY, "file", str(self._path))) from error
        if self._opened is None:
            self._open(found)
        elif self._opened != found:
            what = "database: another file is in its place"
            remedy = f"restart the referee if it is the right one; otherwise {_REMEDY}"
            raise StoreGone(Finding(what, remedy, "file", str(self._path)))
        if self._has_log():
            self._is_saved = False
            return
        self._is_saved = self._is_saved or self._save()
        raise self._log_lost()

    def flush(self) -> None:
        """Wait until everything committed is on the disk; a truncated log already is.

        SQLite itself would block other writers during this wait. Raises StoreUnwritable, and
        StoreLogGone if the log was lost and its content cannot be saved.
        """
        try:
            with self._log.open("rb", buffering=0) as file:
                if self._opened_log in (None, _identity(file.fileno())):
                    os.fdatasync(file.fileno())
                    return
        except FileNotFoundError:
            if self._opened_log is None:
                return
        except OSError as complaint:
            raise unwritable(f"disk: cannot write: {complaint}") from complaint
        if not self._save():
            raise self._log_lost()

    def forget(self) -> None:
        """Accept other files from now on."""
        with self._busy:
            if self._kept_open is not None:
                self._kept_open.close()
            self._kept_open = self._opened = self._opened_log = None
            self._is_saved = False

    def _open(self, found: _Identity) -> None:
        with self._busy:
            if self._opened is not None:
                return
            try:
                self._kept_open = self._connected()
            except sqlite3.Error as complaint:
                if not is_unwritable(complaint):
                    raise
                # A full or read-only disk, where no log can be opened.
                return
            # Without a log of this kind, SQLite has a journal that comes and goes.
            self._opened_log = _identity(self._log) if self._log.exists() else None
            self._opened = found

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=self._patience, check_same_thread=False)
        try:
            # SQLite opens the log when something is read.
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _save(self) -> bool:
        """Move the content of a lost log into the database; return whether it is complete."""
        with self._busy:
            if self._kept_open is None:
                return False
            try:
                checkpoint = self._kept_open.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                return bool(checkpoint.fetchall()[0][0] == 0)
            except sqlite3.Error:
                return False

    def _has_log(self) -> bool:
        try:
            return self._opened_log is None or self._opened_log == _identity(self._log)
        except OSError:
            return False

    def _log_lost(self) -> StoreLogGone:
        what = "database: its -wal file was deleted or replaced"
        remedy = _SAVED if self._is_saved else _NOT_SAVED
        return StoreLogGone(Finding(what, remedy, "file", str(self._log)))


def _identity(file: Path | int) -> _Identity:
    found = os.stat(file)
    return found.st_dev, found.st_ino
