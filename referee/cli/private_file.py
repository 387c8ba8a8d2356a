"""Private file: what an operator writes with the secrets of a game."""

import os
from pathlib import Path

from referee.errors import Finding, ResourceError


def write_private(file: Path, octets: bytes) -> None:
    """Write a file that only its owner can read, and its folder if necessary.

    A file that is overwritten becomes private, too. Raises ResourceError.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        channel = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(channel, "wb") as writer:
            # A device, such as /dev/stdout, keeps its permissions.
            if file.is_file():
                os.fchmod(channel, 0o600)
            writer.write(octets)
    except OSError as error:
        what = f"file: cannot be written: {error.strerror}"
        raise ResourceError(Finding(what, "choose another place", "file", str(file))) from error
