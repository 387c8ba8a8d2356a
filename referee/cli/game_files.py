"""Files of games: the state before a turn, and the record of a whole game."""

import gzip
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from referee.desk.games import record_file
from referee.desk.games.record import Record
from referee.errors import Finding, ResourceError, StateUnreadable, UnknownRuleset
from referee.fresh_file import fresh_file
from referee.rules.ruleset import Ruleset, Seat
from referee.store.database import codec
from referee.testing.probe import Noting

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


@dataclass(frozen=True, slots=True)
class StateFile:
    """A game's state with all data for resolving a turn of it."""

    ruleset: Ruleset[Any, Any]
    seed: bytes
    seats: Mapping[Seat, str]
    """The names of the seats."""
    state: Any

    def write(self, file: Path) -> None:
        """Write the file, for its owner only. Raises ResourceError."""
        info = self.ruleset.info
        with Noting(f"storing the state of the ruleset {info.key}", self.ruleset):
            state = codec.encode(self.state)
        content = {
            "ruleset": info.key,
            "edition": info.edition,
            "schema": info.schema,
            "seed": self.seed.hex(),
            "seats": {str(seat): name for seat, name in self.seats.items()},
            "state": json.loads(zlib.decompress(state.content)),
        }
        write_private(file, (json.dumps(content, indent=1) + "\n").encode())


def read_state(file: Path, rulesets: Mapping[str, Ruleset[Any, Any]]) -> StateFile:
    """Read a state file. Raises ResourceError or UnknownRuleset."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        key, edition, schema = content["ruleset"], content["edition"], content["schema"]
        seed = bytes.fromhex(content["seed"])
        seats = {Seat(int(seat)): str(name) for seat, name in content["seats"].items()}
        state = zlib.compress(json.dumps(content["state"]).encode())
    except OSError as error:
        raise _unreadable(file, str(error.strerror)) from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise _unreadable(file, "not a state file") from error
    if key not in rulesets:
        raise UnknownRuleset(str(key), tuple(rulesets))
    ruleset = rulesets[key]
    if (edition, schema) != (ruleset.info.edition, ruleset.info.schema):
        installed = f"{ruleset.info.edition}, schema {ruleset.info.schema}"
        raise _unreadable(file, f"edition {edition}, schema {schema}, but {installed} is installed")
    try:
        return StateFile(ruleset, seed, seats, codec.decode(state, ruleset.state_type))
    except StateUnreadable as error:
        raise _unreadable(file, str(error)) from error


def _unreadable(file: Path, reason: str) -> ResourceError:
    remedy = "write it with `referee game new` or `referee game export`"
    return ResourceError(
        Finding(f"state file: cannot be read: {reason}", remedy, "file", str(file))
    )


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
