"""State file: a game before the orders of a turn, as JSON with its ruleset."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.cli.private_file import write_private
from referee.errors import Finding, ResourceError, StateUnreadable, UnknownRuleset
from referee.rules.ruleset import Ruleset, Seat
from referee.store.database import codec


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
        content = {
            "ruleset": info.key,
            "edition": info.edition,
            "schema": info.schema,
            "seed": self.seed.hex(),
            "seats": {str(seat): name for seat, name in self.seats.items()},
            "state": json.loads(zlib.decompress(codec.encode(self.state).content)),
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
