"""The state folder of a site: its secret, and its database if that is an SQLite file."""

import hashlib
import hmac
import os
import pwd
import secrets
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from referee.errors import Finding, ResourceError
from referee.fresh_file import fresh_file
from referee.settings import Settings

SECRET: Final = "secret"  # noqa: S105 - the name of a file
SQLITE: Final = "sqlite:///"
AS_REFEREE: Final = "run this as the referee's user (sudo -u referee), or fix the permissions"
_KEY_BYTES: Final = 32
_BACKUP: Final = "last-backup"


def make_state(folder: Path) -> None:
    """Create the state folder, for its owner only. Raises ResourceError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        remedy = "set state_dir to a folder the referee can write, or fix its permissions"
        what = f"state folder: cannot be created: {error.strerror}"
        raise ResourceError(Finding(what, remedy, "setting", f"state_dir = {folder}")) from error


def refuse_root(settings: Settings) -> None:
    """Raise ResourceError for root if the state folder belongs to another user.

    The referee of that user could not use the files that root makes there.
    """
    folder = settings.state_dir
    if os.geteuid() != 0 or not is_there(folder) or (owner := folder.stat().st_uid) == 0:
        return
    user = _user(owner)
    what = f"state folder: belongs to {user}, who could not use the files of root"
    remedy = f"run this as that user: sudo -u {user} referee ..."
    raise ResourceError(Finding(what, remedy, "setting", f"state_dir = {folder}"))


def _user(number: int) -> str:
    """Return the name of a user, or their number as sudo takes it."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"#{number}"


def database_file(settings: Settings) -> Path | None:
    """Return the file of an SQLite database, or None for another kind."""
    url = settings.database.url
    if url is None:
        return settings.state_dir / "referee.db"
    return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None


def is_there(file: Path) -> bool:
    """Return whether a file exists. Raises ResourceError if this user cannot know."""
    try:
        return file.exists()
    except OSError as error:
        what = f"{file.name}: cannot be read: {error.strerror}"
        raise ResourceError(Finding(what, AS_REFEREE, "file", str(file))) from error


def refuse_new_database(settings: Settings) -> None:
    """Raise ResourceError if there was a database here: its secret or a backup still is."""
    found = traces(settings)
    if found:
        file = database_file(settings)
        state = "missing" if file is not None and not is_there(file) else "empty"
        what = f"database: {state}, but {found[0].name} shows that there was one"
        remedy = (
            "put it back, or `referee restore --force` a backup; `referee site new-database` "
            "begins again with nothing"
        )
        place = file or settings.database.url
        raise ResourceError(Finding(what, remedy, "database", str(place)))


def traces(settings: Settings) -> list[Path]:
    """Return the files that only a database leaves: its secret, and copies of it."""
    folder, database = settings.state_dir, database_file(settings)
    found = [folder / SECRET, *sorted(folder.glob("*.tar.gz"))]
    if database is not None and not is_there(database):
        # If the database has no tables, it is that of a first start that was killed.
        found += [database.with_name(f"{database.name}-wal")]
    if database is not None:
        found += sorted(database.parent.glob(f"{database.name}.before-*"))
    return [file for file in found if is_there(file)]


def note_backup(folder: Path, taken_at: datetime) -> None:
    """Note when a backup was taken. A state folder that cannot be written keeps the older note."""
    with suppress(OSError):
        (folder / _BACKUP).write_text(f"{taken_at.isoformat()}\n", encoding="ascii")


def last_backup(folder: Path) -> datetime | None:
    """Return when the last backup was taken, or None if there is no note of one."""
    try:
        return datetime.fromisoformat((folder / _BACKUP).read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        return None


def make_key(folder: Path) -> None:
    """Create the secret that signs tokens, unless there is one. Raises ResourceError."""
    make_state(folder)
    file = folder / SECRET
    if is_there(file):
        return
    try:
        _make_key(file, secrets.token_bytes(_KEY_BYTES))
    except OSError as error:
        raise _bad_key(file, error) from error


def lost_key(settings: Settings) -> ResourceError:
    """Return the error for a secret that is missing although letters were signed with it."""
    what = "secret: missing, but the database has emails that were signed with it"
    remedy = (
        "put it back, or `referee restore --force` a backup; with PostgreSQL, copy it from another "
        "referee; `referee site new-secret` makes a new one and says what is lost"
    )
    return ResourceError(Finding(what, remedy, "file", str(settings.state_dir / SECRET)))


def read_key(file: Path) -> bytes:
    """Return the secret. Raises ResourceError if it is damaged or cannot be read."""
    try:
        key = bytes.fromhex(file.read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        raise _bad_key(file, error) from error
    if len(key) != _KEY_BYTES:
        raise _bad_key(file, ValueError())
    return key


def wrong_key(settings: Settings) -> ResourceError:
    """Return the error for a secret that is not the one which letters were signed with."""
    what = "secret: not the one that emails of this database were signed with"
    remedy = (
        "put the right one back, or `referee restore --force` a backup; if it is lost, move this "
        "one away, then `referee site new-secret` makes a new one and says what is lost"
    )
    return ResourceError(Finding(what, remedy, "file", str(settings.state_dir / SECRET)))


def fingerprint(key: bytes) -> str:
    """Return a hash that identifies the secret without revealing it."""
    return hmac.digest(key, b"fingerprint", hashlib.sha256).hex()[:32]


def put_back(file: Path, key: bytes) -> bool:
    """Write the secret of a running referee if its file is gone; return whether it was.

    Raises OSError.
    """
    if file.exists():
        return False
    _make_key(file, key)
    return True


def _make_key(file: Path, key: bytes) -> None:
    """Write the secret completely or not at all; of several programs, the first one wins."""
    with suppress(FileExistsError), fresh_file(file, replaces=False) as writer:
        writer.write(f"{key.hex()}\n".encode())


def _bad_key(file: Path, error: Exception) -> ResourceError:
    problem = error.strerror if isinstance(error, OSError) else "damaged"
    remedy = "restore it from a backup, because replies to earlier emails depend on it"
    if isinstance(error, PermissionError):
        remedy = AS_REFEREE
    what = f"secret: cannot be used: {problem}"
    return ResourceError(Finding(what, remedy, "file", str(file)))
