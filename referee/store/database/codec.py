"""The codec: a ruleset's state as bytes, the same bytes for the same state, and back."""

import dataclasses
import hashlib
import zlib
from collections.abc import Callable
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from referee.errors import Finding, StateUnreadable

S = TypeVar("S")

_SCALARS: Final = (int, str, float, bool, NoneType)


@dataclasses.dataclass(frozen=True, slots=True)
class Encoded:
    """A state as it is stored, and the SHA-256 of it before compression, in hex.

    Two states are equal when their digests are, whatever compressed them.
    """

    content: bytes
    digest: str


def encode(state: Any) -> Encoded:
    """Return a dataclass as bytes that depend on what it holds alone.

    It may hold dataclasses, Enums (all of texts or all of whole numbers), NewTypes, numbers, texts,
    None, lists, tuples, sets, and dicts keyed by whole numbers, texts or Enums. A dict comes back
    sorted by its keys. No dataclass holds itself. Raises TypeError for anything else.
    """
    text = msgspec.json.encode((_sorter(type(state)) or _as_is)(state))
    return Encoded(zlib.compress(text), hashlib.sha256(text).hexdigest())


def decode(content: bytes, state_type: type[S]) -> S:
    """Return the state that was encoded. Raises StateUnreadable when the bytes are not one."""
    try:
        return msgspec.json.decode(zlib.decompress(content), type=state_type)
    except (zlib.error, msgspec.DecodeError) as error:
        raise StateUnreadable(f"this is no {state_type.__qualname__}: {error}") from error


def check_schema(what: str, *, stored: int, known: int, ruleset: str) -> None:
    """Raise StateUnreadable unless a state was stored in the shape that the ruleset has now."""
    if stored != known:
        raise StateUnreadable(
            Finding(
                f"{what} has states of schema {stored} of {ruleset}, and the one installed here "
                f"knows schema {known} alone",
                f"install the {'newer' if stored > known else 'older'} version of {ruleset}; the "
                "game waits as it is",
            )
        )


def from_json(text: str, state_type: type[S]) -> S:
    """Return the state of a JSON text. Raises StateUnreadable when it is none."""
    return decode(zlib.compress(text.encode()), state_type)


def as_json(content: bytes) -> str:
    """Return the state that was encoded as the JSON text it is kept as."""
    return zlib.decompress(content).decode("utf-8")


_Sorter = Callable[[Any], Any]
"""Gives a value with all sets and dicts in it sorted, in what JSON knows or msgspec can encode."""


def _sorter(hint: Any) -> _Sorter | None:
    """Return what sorts values of a type; None when nothing in them needs sorting.

    msgspec's own sorting stops at sets of Enums and at dicts keyed by numbers. Nearly all of a
    state needs none, which is found out once for each type; the rest msgspec encodes as it is.
    """
    kind: Any = get_origin(_plain_type(hint)) or _plain_type(hint)
    inner = [each for each in get_args(hint) if each is not ...]
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _dataclass_sorter(kind)
    if kind is dict and len(inner) == 2:
        return _dict_sorter(*inner)
    if kind is list and len(inner) == 1:
        return _list_sorter(*inner)
    if kind in (tuple, Union, UnionType):
        return _plain if any(_sorter(each) for each in inner) else None
    return None if kind in _SCALARS or _is_enum(kind) else _plain


@cache
def _dataclass_sorter(kind: Any) -> _Sorter | None:
    hints = get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind)]
    sorters = {name: found for name in names if (found := _sorter(hints[name])) is not None}
    if not sorters:
        return None

    def sort(value: Any) -> dict[str, Any]:
        return {name: sorters.get(name, _as_is)(getattr(value, name)) for name in names}

    return sort


def _dict_sorter(key: Any, item: Any) -> _Sorter:
    inside = _sorter(item) or _as_is
    if _plain_type(key) not in (int, str):
        return _plain

    def sort(value: dict[Any, Any]) -> dict[Any, Any]:
        return {each: inside(value[each]) for each in sorted(value)}

    return sort


def _list_sorter(item: Any) -> _Sorter | None:
    inside = _sorter(item)
    return None if inside is None else lambda value: [inside(each) for each in value]


def _plain_type(hint: Any) -> Any:
    """Return the type below any NewTypes."""
    while hasattr(hint, "__supertype__"):
        hint = hint.__supertype__
    return hint


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _as_is(value: Any) -> Any:
    return value


def _plain(value: Any) -> Any:
    """Return the value in what JSON knows, with sets and dicts sorted, whatever its type says."""
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
