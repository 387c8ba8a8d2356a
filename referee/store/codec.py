"""The codec: a ruleset's state as bytes, the same bytes for the same state, and back."""

import dataclasses
import hashlib
import zlib
from enum import Enum
from typing import Any, TypeVar

import msgspec

from referee.errors import StateUnreadable

S = TypeVar("S")


@dataclasses.dataclass(frozen=True, slots=True)
class Encoded:
    """A state as it is stored, and the SHA-256 of it before compression, in hex.

    Two states are equal when their digests are, whatever compressed them.
    """

    content: bytes
    digest: str


def encode(state: Any) -> Encoded:
    """Give a dataclass as bytes that depend on what it holds alone.

    It may hold dataclasses, Enums (all of texts or all of whole numbers), NewTypes, numbers, texts,
    None, lists, tuples, sets, and dicts keyed by whole numbers, texts or Enums. A dict comes back
    sorted by its keys. Raises TypeError for anything else.
    """
    text = msgspec.json.encode(_plain(state))
    return Encoded(zlib.compress(text), hashlib.sha256(text).hexdigest())


def decode(content: bytes, state_type: type[S]) -> S:
    """Give the state that was encoded. Raises StateUnreadable when the bytes are not one."""
    try:
        return msgspec.json.decode(zlib.decompress(content), type=state_type)
    except (zlib.error, msgspec.DecodeError) as error:
        raise StateUnreadable(f"this is no {state_type.__qualname__}: {error}") from error


def _plain(value: Any) -> Any:
    """Give the value in what JSON knows, with sets and dicts sorted.

    msgspec's own sorting stops at sets of Enums and at dicts keyed by numbers.
    """
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        pairs = [(_plain(key), _plain(item)) for key, item in value.items()]
        return dict(sorted(pairs, key=_rank))
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in value), key=msgspec.json.encode)
    if dataclasses.is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    raise TypeError(f"a state cannot hold a {type(value).__qualname__}")


def _rank(pair: tuple[int | str, Any]) -> tuple[bool, int | str]:
    key = pair[0]
    return isinstance(key, str), key
