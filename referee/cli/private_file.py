"""Private file: what an operator writes with the secrets of a game."""

import os
from pathlib import Path
from typing import Final

from referee.errors import Finding, ResourceError
from referee.fresh_file import fresh_file

_DEVICES: Final = (Path("/dev"), Path("/dev/fd"))
"""The folders where only root makes files, such as /dev/stdout, which are written to as they are.
"""


def write_private(file: Path, octets: bytes) -> None:
    """Write a file that only its owner can read, and its folder if necessary.

    A file or link with its name is replaced. Raises ResourceError.
    """
    try:
        if file.parent in _DEVICES:
            _write_device(file, octets)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        with fresh_file(file) as writer:
            writer.write(octets)
    except OSError as error:
        what = f"file: cannot be written: {error.strerror}"
        raise ResourceError(Finding(what, "choose another place", "file", str(file))) from error


def _write_device(file: Path, octets: bytes) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_TRUNC), "wb") as writer:
        # The output of this program can be a file.
        if file.is_file():
            os.fchmod(writer.fileno(), 0o600)
        writer.write(octets)
