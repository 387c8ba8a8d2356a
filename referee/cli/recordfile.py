"""Record file: a whole game as JSON, compressed if its name ends in ``.gz``."""

import gzip
import os
from pathlib import Path

from referee.desk.games import record_file
from referee.desk.games.record import Record
from referee.errors import Finding, ResourceError


def write_record(file: Path, record: Record) -> None:
    """Write the file, and its folder if necessary. Raises ResourceError."""
    octets = record_file.encode(record)
    if file.suffix == ".gz":
        # Without a time in it, the same game gives the same file.
        octets = gzip.compress(octets, mtime=0)
    write_file(file, octets)


def write_file(file: Path, octets: bytes) -> None:
    """Write a file with secrets, for its owner only, and its folder if necessary.

    Raises ResourceError.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        channel = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(channel, "wb") as writer:
            # A file that is overwritten keeps its permissions otherwise.
            if file.is_file():
                os.fchmod(channel, 0o600)
            writer.write(octets)
    except OSError as error:
        what = f"file: cannot be written: {error.strerror}"
        raise ResourceError(Finding(what, "choose another place", "file", str(file))) from error


def read_record(file: Path) -> Record:
    """Read the file, compressed or not. Raises ResourceError if it is no record."""
    try:
        return record_file.decode(file.read_bytes())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        what = f"record: cannot be read: {reason}"
        remedy = "write it with `referee game record`, or save it from the last email of the game"
        raise ResourceError(Finding(what, remedy, "file", str(file))) from error
