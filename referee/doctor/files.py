"""Checks of settings, secrets, folders and disks."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from referee.app import has_letters, refuse_wrong_key
from referee.doctor.opening import opened
from referee.doctor.passwords import look_at_passwords
from referee.doctor.report import CheckResult, fault, look, well
from referee.doctor.rights import closed, standing
from referee.doctor.unit import how_to_start
from referee.errors import ResourceError
from referee.settings import Settings, SmtpSending
from referee.state_dir import AS_REFEREE, SECRET, database_file, is_there, lost_key, read_key

_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
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
    """Check that the state folder, the secret and the passwords exist and are private."""
    folder = settings.state_dir
    if not os.path.isdir(folder):
        yield _to_be_made(settings, folder)
    else:
        yield from closed(folder, _GROUP_AND_OTHERS, "700")
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            yield fault(
                "state folder: this user cannot write to it",
                f"{AS_REFEREE}; if its disk is read-only, mount it for writing",
                "folder",
                str(folder),
            )
        yield from _secret(settings, folder / SECRET)
    yield from look_at_passwords(settings)


def _to_be_made(settings: Settings, folder: Path) -> CheckResult:
    """Return whether the state folder can be created."""
    place = standing(folder)
    if place != folder and place.is_dir() and os.access(place, os.W_OK | os.X_OK):
        remedy = f"{how_to_start(settings)}, which creates it"
        return look("state folder: does not exist yet", remedy, "folder", str(folder))
    why = f"{place} is not a folder"
    if place.is_dir():
        why = f"this user cannot write to {place}"
    remedy = f"set state_dir to a folder the referee can write; or {AS_REFEREE}"
    return fault(f"state folder: cannot be created: {why}", remedy, "folder", str(folder))


def _secret(settings: Settings, file: Path) -> Iterator[CheckResult]:
    try:
        if not is_there(file):
            with opened(settings) as store:
                if store is not None and has_letters(store):
                    raise lost_key(settings)
            remedy = f"{how_to_start(settings)}, which creates it"
            yield look("secret: does not exist yet", remedy, "file", str(file))
            return
        read_key(file)
        with opened(settings) as store:
            if store is not None:
                refuse_wrong_key(settings, store)
    except ResourceError as error:
        yield from (fault(f.what, f.remedy, f.label, f.place) for f in error.findings)
        return
    yield from closed(file, _GROUP_AND_OTHERS, "600")


def look_at_disk(settings: Settings) -> Iterator[CheckResult]:
    """Check that there is enough free disk space, and that the disk can be written to."""
    database = database_file(settings)
    wanted = (settings.state_dir, database.parent if database else settings.state_dir)
    for place in sorted({standing(folder) for folder in wanted}):
        if _is_read_only(place):
            remedy = "check the disk if the system found an error on it, and mount it for writing"
            yield fault(f"{place}: the disk is read-only", remedy, "folder", str(place))
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


def _is_read_only(place: Path) -> bool:
    """Return whether a disk refuses all changes, which the rights on it do not always show."""
    try:
        # It has no name, so that nothing is left if this is killed.
        tempfile.TemporaryFile(dir=place).close()
    except OSError as error:
        return error.errno in (errno.EROFS, errno.EIO)
    return False
