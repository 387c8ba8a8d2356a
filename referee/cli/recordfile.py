"""Record file: a whole game as JSON, compressed if its name ends in ``.gz``."""

import gzip
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from referee.desk.games.record import Record
from referee.desk.games.replay import Resolved
from referee.errors import Finding, ResourceError

_GZIP = ".gz"


def write_record(file: Path, record: Record) -> None:
    """Write the file, and its folder if necessary. Raises ResourceError."""
    content = {
        **asdict(record),
        "seed": record.seed.hex(),
        "state": json.loads(record.state),
    }
    text = (json.dumps(content, indent=1) + "\n").encode()
    # Without a time in it, the same game gives the same file.
    octets = gzip.compress(text, mtime=0) if file.suffix == _GZIP else text
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(octets)
    except OSError as error:
        what = f"record: cannot be written: {error.strerror}"
        raise ResourceError(Finding(what, "choose another place", "file", str(file))) from error


def read_record(file: Path) -> Record:
    """Read the file. Raises ResourceError if it is no record."""
    try:
        octets = file.read_bytes()
        content = json.loads(gzip.decompress(octets) if file.suffix == _GZIP else octets)
        return Record(
            str(content["game"]),
            str(content["ruleset"]),
            str(content["edition"]),
            int(content["schema"]),
            bytes.fromhex(content["seed"]),
            {int(number): str(name) for number, name in content["seats"].items()},
            json.dumps(content["state"], separators=(",", ":"), ensure_ascii=False),
            tuple(_turn(turn) for turn in content["turns"]),
        )
    except (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a record"
        what = f"record: cannot be read: {reason}"
        remedy = "write it with `referee game record`"
        raise ResourceError(Finding(what, remedy, "file", str(file))) from error


def _turn(turn: dict[str, Any]) -> Resolved:
    return Resolved(
        int(turn["number"]),
        {str(seat): [str(text) for text in texts] for seat, texts in turn["sheets"].items()},
        [int(seat) for seat in turn["missed"]],
        turn["outcomes"],
        [str(text) for text in turn["corrections"]],
        str(turn["digest"]),
    )
