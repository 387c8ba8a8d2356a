"""Backup file: the database and the secret of a site, in one compressed archive."""

import hashlib
import io
import json
import os
import shutil
import tarfile
import zlib
from dataclasses import asdict, dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from referee.errors import Finding, ResourceError
from referee.fresh_file import fresh_file

DATABASE: Final = "database"
SECRET: Final = "secret"  # noqa: S105 - the name of a file
_CONTENTS: Final = "contents.json"
_MEMBERS: Final = (DATABASE, SECRET)
_MOST_OCTETS: Final = 10_000
"""The largest list of contents that is read; ours have 300 bytes."""

_ERRORS: Final = (
    *(OSError, EOFError, ValueError, LookupError, TypeError, RecursionError),
    tarfile.TarError,
)


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a backup: time, kind of database, version, and the SHA-256s."""

    taken_at: datetime
    kind: str
    referee: str
    digests: dict[str, str]


def pack(out: Path, folder: Path, kind: str, taken_at: datetime) -> None:
    """Write the files DATABASE and SECRET of *folder* to *out*, completely or not at all.

    Only the owner can read it. Raises OSError.
    """
    digests = {name: _digest(folder / name) for name in _MEMBERS}
    contents = Contents(taken_at, kind, version("referee"), digests)
    told = {**asdict(contents), "taken_at": taken_at.isoformat()}
    with fresh_file(out) as raw, tarfile.open(fileobj=raw, mode="w:gz") as archive:
        _add(archive, _CONTENTS, json.dumps(told, indent=1).encode())
        for name in _MEMBERS:
            archive.add(folder / name, name, filter=_private)


def unpack(file: Path, folder: Path) -> Contents:
    """Write the files of a backup into *folder*, and compare each with its SHA-256.

    Raises ResourceError if it is no backup or a damaged one.
    """
    try:
        with tarfile.open(file, mode="r:gz") as archive:
            told = json.loads(_member(archive, _CONTENTS).read(_MOST_OCTETS))
            contents = Contents(
                datetime.fromisoformat(told["taken_at"]),
                str(told["kind"]),
                str(told["referee"]),
                {name: str(told["digests"][name]) for name in _MEMBERS},
            )
            for name in _MEMBERS:
                _write(folder / name, _member(archive, name))
        found = {name: _digest(folder / name) for name in _MEMBERS}
    except _ERRORS as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a backup"
        raise _unusable(file, reason) from error
    except zlib.error as error:
        raise _unusable(file, "damaged") from error
    if found != contents.digests:
        raise _unusable(file, "damaged")
    return contents


def _unusable(file: Path, reason: str) -> ResourceError:
    what = f"backup: cannot be used: {reason}"
    return ResourceError(
        Finding(what, "use another backup; nothing was changed", "file", str(file))
    )


def _private(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return the member so that only its owner can read it when tar unpacks it."""
    member.mode = 0o600
    return member


def _add(archive: tarfile.TarFile, name: str, octets: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(octets)
    archive.addfile(_private(member), io.BytesIO(octets))


def _member(archive: tarfile.TarFile, name: str) -> io.BufferedReader:
    member = archive.extractfile(name)
    if member is None:
        raise LookupError(name)
    assert isinstance(member, io.BufferedReader)
    return member


def _write(file: Path, content: io.BufferedReader) -> None:
    channel = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(channel, "wb") as writer:
        shutil.copyfileobj(content, writer)
        writer.flush()
        os.fsync(writer.fileno())


def _digest(file: Path) -> str:
    with file.open("rb") as reader:
        return hashlib.file_digest(reader, "sha256").hexdigest()
