"""The file of a game's record: JSON, compressed when it is mailed."""

import gzip
import io
import json
import zlib
from dataclasses import asdict
from typing import Any, Final

from referee.desk.games.record import Record, record_of
from referee.desk.games.replay import Resolved
from referee.letters.outgoing.attachments import OutgoingFile
from referee.rules.ruleset import Seat, SignUp
from referee.store import Session
from referee.store.models import Game

_GZIP: Final = b"\x1f\x8b"
_MOST_OCTETS: Final = 5_000_000
"""The size of the largest record that goes with an email."""
MOST_READ: Final = 25_000_000
"""The size of the largest record that is read, uncompressed. A StarWeb game of six players has 0.18
MB after twenty turns. Anybody can make a small file that grows to gigabytes."""


def enclosed(session: Session, game: Game) -> tuple[OutgoingFile, ...]:
    """Return the record of the game to be attached to an email, or none if it is too large."""
    content = gzip.compress(encode(record_of(session, game)), mtime=0)
    if len(content) > _MOST_OCTETS:
        return ()
    return (OutgoingFile(f"{game.name.lower()}-record.json.gz", "application/gzip", content),)


def encode(record: Record) -> bytes:
    """Return the record as JSON. The same record gives the same bytes."""
    content = {
        **asdict(record),
        "seed": record.seed.hex(),
        "state": json.loads(record.state),
    }
    return (json.dumps(content, indent=1) + "\n").encode()


def decode(octets: bytes) -> Record:
    """Return the record in a file, compressed or not.

    Raises ValueError if there is none, or if it has more than MOST_READ bytes.
    """
    text = _uncompressed(octets)
    if len(text) > MOST_READ:
        raise ValueError(f"larger than {MOST_READ // 1_000_000} MB")
    try:
        content = json.loads(text)
        return Record(
            str(content["game"]),
            str(content["ruleset"]),
            str(content["edition"]),
            int(content["schema"]),
            bytes.fromhex(content["seed"]),
            dict(content["options"]),
            tuple(_signup(each) for each in content["signups"]),
            [str(text) for text in content["corrections"]],
            json.dumps(content["state"], separators=(",", ":"), ensure_ascii=False),
            tuple(_turn(turn) for turn in content["turns"]),
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("not a record") from error


def _uncompressed(octets: bytes) -> bytes:
    """Return the file uncompressed, if it is too large only its beginning."""
    if not octets.startswith(_GZIP):
        return octets
    try:
        with gzip.open(io.BytesIO(octets)) as packed:
            return packed.read(MOST_READ + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError("not a record") from error


def _signup(content: dict[str, Any]) -> SignUp:
    choices = {str(key): tuple(map(str, wishes)) for key, wishes in content["choices"].items()}
    return SignUp(Seat(int(content["seat"])), str(content["name"]), choices)


def _turn(turn: dict[str, Any]) -> Resolved:
    return Resolved(
        int(turn["number"]),
        {str(seat): [str(text) for text in texts] for seat, texts in turn["sheets"].items()},
        [int(seat) for seat in turn["missed"]],
        turn["outcomes"],
        [str(text) for text in turn["corrections"]],
        str(turn["digest"]),
    )
