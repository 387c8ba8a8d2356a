"""The file of a game's record: JSON, compressed when it is mailed."""

import gzip
import io
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeVar

from referee.desk.games.record import Extent, Record, Undone, record_of
from referee.desk.games.replay import Resolved
from referee.letters.outgoing.compose import OutgoingFile
from referee.rules.ruleset import Seat, SignUp
from referee.store import Session
from referee.store.models import Game

T = TypeVar("T")

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

    Raises ValueError with what is wrong, also if it has more than MOST_READ bytes.
    """
    text = _uncompressed(octets)
    if len(text) > MOST_READ:
        raise ValueError(f"larger than {MOST_READ // 1_000_000} MB")
    try:
        return _record(json.loads(text))
    except json.JSONDecodeError as error:
        what = f"its JSON is damaged in line {error.lineno}, column {error.colno}: {error.msg}"
        raise ValueError(f"not a record: {what}") from error
    except _DamageError:
        raise
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a record: {error}") from error


def _uncompressed(octets: bytes) -> bytes:
    """Return the file uncompressed, if it is too large only its beginning."""
    if not octets.startswith(_GZIP):
        return octets
    try:
        with gzip.open(io.BytesIO(octets)) as packed:
            return packed.read(MOST_READ + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"not a record: {error}") from error


class _DamageError(ValueError):
    """A part of a record that is missing or cannot be read."""


def _part(content: Any, where: str, key: str, read: Callable[[Any], T]) -> T:
    """Return a part as *read* decodes it. Raises ValueError with the place if it cannot."""
    if not isinstance(content, dict) or key not in content:
        raise _DamageError(f"not a record: {where} has no {key!r}")
    try:
        return read(content[key])
    except _DamageError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise _DamageError(f"not a record: {where} has {key!r} that cannot be read") from error


def _record(content: Any) -> Record:
    def part(key: str, read: Callable[[Any], T]) -> T:
        return _part(content, "the file", key, read)

    return Record(
        part("game", str),
        part("ruleset", str),
        part("edition", str),
        part("schema", int),
        part("seed", bytes.fromhex),
        part("options", dict),
        part("signups", _signups),
        part("corrections", _texts),
        part("state", _state),
        part("turns", lambda turns: tuple(_turn(*each) for each in enumerate(turns, 1))),
        part("extent", _extent),
    )


def _state(content: Any) -> str:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)


def _texts(content: Any) -> list[str]:
    if not isinstance(content, list):
        raise TypeError
    return [str(text) for text in content]


def _extent(content: Any) -> Extent:
    def part(key: str, read: Callable[[Any], T]) -> T:
        return _part(content, "'extent'", key, read)

    def undone(rollbacks: Any) -> tuple[Undone, ...]:
        return tuple(
            _undone(f"rollback {number}", each) for number, each in enumerate(rollbacks, 1)
        )

    return Extent(part("length", int), part("ended", bool), part("undone", undone))


def _undone(where: str, content: Any) -> Undone:
    return Undone(
        _part(content, where, "turns", lambda turns: [int(turns[0]), *map(int, turns[1:])]),
        _part(
            content, where, "corrections", lambda rows: [(int(n), str(text)) for n, text in rows]
        ),
    )


def _signups(content: Any) -> tuple[SignUp, ...]:
    return tuple(_signup(f"sign-up {number}", each) for number, each in enumerate(content, 1))


def _signup(where: str, content: Any) -> SignUp:
    def choices(wished: Any) -> dict[str, tuple[str, ...]]:
        return {str(key): tuple(map(str, wishes)) for key, wishes in wished.items()}

    return SignUp(
        Seat(_part(content, where, "seat", int)),
        _part(content, where, "name", str),
        _part(content, where, "choices", choices),
    )


def _turn(position: int, content: Any) -> Resolved:
    where = f"turn {position}"
    return Resolved(
        _part(content, where, "number", int),
        _part(content, where, "sheets", _sheets),
        _part(content, where, "missed", lambda seats: [int(seat) for seat in seats]),
        _part(content, where, "outcomes", _outcomes),
        _part(content, where, "corrections", _texts),
        _part(content, where, "digest", str),
    )


def _sheets(content: Any) -> Mapping[str, Sequence[str]]:
    return {str(int(seat)): _texts(texts) for seat, texts in content.items()}


def _outcomes(content: Any) -> Mapping[str, Sequence[Sequence[Any]]]:
    """Return the results of each seat's orders: order, whether it was done, and the reason."""
    found = {str(int(seat)): [list(row) for row in rows] for seat, rows in content.items()}
    if any(len(row) != 3 for rows in found.values() for row in rows):
        raise ValueError
    return found
