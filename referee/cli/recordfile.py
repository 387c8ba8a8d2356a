"""Record file: a whole game as JSON, compressed if its name ends in ``.gz``."""

import gzip
from pathlib import Path

from referee.cli.private_file import write_private
from referee.desk.games import record_file
from referee.desk.games.record import Record
from referee.errors import Finding, ResourceError


def write_record(file: Path, record: Record) -> None:
    """Write the file, and its folder if necessary. Raises ResourceError."""
    octets = record_file.encode(record)
    if file.suffix == ".gz":
        # Without a time in it, the same game gives the same file.
        octets = gzip.compress(octets, mtime=0)
    write_private(file, octets)


def read_record(file: Path) -> Record:
    """Read the file, compressed or not. Raises ResourceError if it is no record, or too large."""
    try:
        with file.open("rb") as reader:
            return record_file.decode(reader.read(record_file.MOST_READ + 1))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        what = f"record: cannot be read: {reason}"
        remedy = "write it with `referee game record`, or save it from the last email of the game"
        raise ResourceError(Finding(what, remedy, "file", str(file))) from error
