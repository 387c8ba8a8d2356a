"""Checks of settings, secrets, folders and disks."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from referee.app import SECRET, database_file, read_key
from referee.doctor.report import CheckResult, fault, look, well
from referee.errors import ResourceError
from referee.settings import Settings, SmtpSending, read_secret

_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_OTHERS: Final = 0o007
_GROUP_AND_OTHERS: Final = 0o077
_TIGHT: Final = 200 * 2**20
_SCARCE: Final = 2 * 2**30


def look_at_settings(settings: Settings) -> Iterator[CheckResult]:
    """Check the mail sources and the mail transport, and whether they are encrypted."""
    ways = [f"mailbox {box.name}" for box in settings.imap]
    ways += [f"Maildir {box.name}" for box in settings.maildir]
    ways += ["receiver"] if settings.receiver is not None else []
    if ways:
        yield well(f"mail sources: {', '.join(ways)}; mail transport: {settings.sending.kind}")
    else:
        yield look(
            "mail sources: no receiver, mailbox or Maildir",
            "configure one, unless your mail server calls `referee mail in`",
        )
    yield from _unprotected(settings)


def _unprotected(settings: Settings) -> Iterator[CheckResult]:
    servers = [(f"imap.{box.name}", box.host, box.security) for box in settings.imap]
    if isinstance(settings.sending, SmtpSending):
        servers.append(("sending", settings.sending.host, settings.sending.security))
    for name, host, security in servers:
        if security == "none" and host not in _HERE:
            yield fault(
                f"{host}: emails and passwords are sent unencrypted",
                'set it to "tls" or "starttls"',
                "setting",
                f"{name}.security",
            )


def look_at_state(settings: Settings) -> Iterator[CheckResult]:
    """Check that the secret and the passwords exist and are private."""
    folder = settings.state_dir
    if not folder.exists():
        yield look(
            "state folder: does not exist yet",
            "start `referee run`, which creates it",
            "folder",
            str(folder),
        )
    else:
        yield from _closed(folder, _GROUP_AND_OTHERS, "700")
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            yield fault(
                "state folder: this user cannot write to it",
                "run this as the referee's user, or change the owner of the folder (chown)",
                "folder",
                str(folder),
            )
        yield from _secret(folder / SECRET)
    for name, file in _password_files(settings):
        yield from _password(name, file)


def _secret(file: Path) -> Iterator[CheckResult]:
    if not file.exists():
        yield look(
            "secret: does not exist yet", "start `referee run`, which creates it", "file", str(file)
        )
        return
    try:
        read_key(file)
    except ResourceError as error:
        yield from (fault(f.what, f.remedy, f.label, f.place) for f in error.findings)
        return
    yield from _closed(file, _GROUP_AND_OTHERS, "600")


def _password(name: str, file: Path) -> Iterator[CheckResult]:
    try:
        read_secret(file, name)
    except ResourceError as error:
        yield from (fault(f.what, f.remedy, f.label, f.place) for f in error.findings)
        return
    yield from _closed(file, _OTHERS, "640")


def _closed(place: Path, forbidden: int, mode: str) -> Iterator[CheckResult]:
    if place.stat().st_mode & forbidden:
        yield fault(
            f"{place.name}: other users of this machine can access it",
            f"run chmod {mode} {place}",
            "file" if place.is_file() else "folder",
            str(place),
        )
    else:
        yield well(f"{place}: private")


def _password_files(settings: Settings) -> Iterator[tuple[str, Path]]:
    named = [(f"imap.{box.name}.password_file", box.password_file) for box in settings.imap]
    named.append(("database.password_file", settings.database.password_file))
    if isinstance(settings.sending, SmtpSending):
        named.append(("sending.password_file", settings.sending.password_file))
    yield from ((name, file) for name, file in named if file is not None)


def look_at_disk(settings: Settings) -> Iterator[CheckResult]:
    """Check that there is enough free disk space."""
    database = database_file(settings)
    wanted = (settings.state_dir, database.parent if database else settings.state_dir)
    for place in sorted({_standing(folder) for folder in wanted}):
        free = shutil.disk_usage(place).free
        words = f"{place}: {free // 2**20} MB free"
        if free < _TIGHT:
            yield fault(
                words,
                "free some disk space: no email can be stored on a full disk",
                "folder",
                str(place),
            )
        elif free < _SCARCE:
            yield look(words, "free some disk space soon", "folder", str(place))
        else:
            yield well(words)


def _standing(folder: Path) -> Path:
    """Return the folder, or the existing folder in which it will be created."""
    return next(place for place in (folder, *folder.parents) if place.exists())
