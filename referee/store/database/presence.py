"""The file of an SQLite database, as long as it is the one that was opened."""

import os
from pathlib import Path

from referee.errors import Finding, StoreGone

_REMEDY = (
    "put the file back, with the -wal file next to it; otherwise stop the referee and run "
    "`referee restore --force` on the last backup"
)


class DatabaseFile:
    """The file of a database that others can delete or replace while it is open.

    SQLite would write on into the file without a name, and everything would be lost in the end.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened: tuple[int, int] | None = None

    def check(self) -> None:
        """Raise StoreGone unless the file is there and the same as at the first call."""
        try:
            found = os.stat(self._path)
        except OSError as error:
            what = f"database: the file cannot be found: {error.strerror}"
            raise StoreGone(Finding(what, _REMEDY, "file", str(self._path))) from error
        if self._opened is None:
            self._opened = found.st_dev, found.st_ino
        elif self._opened != (found.st_dev, found.st_ino):
            what = "database: another file is in its place"
            remedy = f"restart the referee if it is the right one; otherwise {_REMEDY}"
            raise StoreGone(Finding(what, remedy, "file", str(self._path)))

    def forget(self) -> None:
        """Accept another file from now on."""
        self._opened = None
