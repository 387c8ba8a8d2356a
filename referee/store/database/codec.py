"""Codec between a ruleset's state and bytes; equal states give equal bytes."""

import dataclasses
import hashlib
import zlib
from collections.abc import Callable, Iterable
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
    """A stored state with the SHA-256 of its uncompressed form, in hex.

    Two states are equal if their digests are, whatever compression was used.
    """

    content: bytes
    digest: str


def encode(state: Any) -> Encoded:
    """Return a dataclass as bytes that depend only on its values.

    It can hold dataclasses, Enums (all of strings or all of integers), NewTypes, numbers, strings,
    None, lists, tuples, sets, and dicts keyed by integers, strings or Enums. Dicts are decoded in
    the order of their keys. A dataclass cannot contain itself. Raises TypeError for anything else.
    """
    text = _text(state)
    return Encoded(zlib.compress(text), hashlib.sha256(text).hexdigest())


def decode(content: bytes, state_type: type[S]) -> S:
    """Return the encoded state.

    Raises StateUnreadable if the bytes are not one, or hold a part that the type does not have:
    a part that was renamed without a new schema would begin again with its default.
    """
    name = state_type.__qualname__
    try:
        text = zlib.decompress(content)
        state = msgspec.json.decode(text, type=state_type)
    except (zlib.error, msgspec.DecodeError) as error:
        raise StateUnreadable(f"not a valid {name}: {error}") from error
    again = _text(state)
    if again != text and (lost := _lost(msgspec.json.decode(text), msgspec.json.decode(again))):
        raise StateUnreadable(
            Finding(
                f"a stored {name} has {lost!r}, which the installed {name} does not have",
                "install the version that stored it, or give the changed state a new schema",
            )
        )
    return state


def _text(state: Any) -> bytes:
    return msgspec.json.encode((_sorter(type(state)) or _as_is)(state))


def _lost(stored: Any, read: Any) -> str:
    """Return the first key of a JSON value that the same value does not have after reading it."""
    pairs: Iterable[tuple[Any, Any]] = ()
    if isinstance(stored, dict) and isinstance(read, dict):
        if missing := [str(key) for key in stored if key not in read]:
            return missing[0]
        pairs = ((value, read[key]) for key, value in stored.items())
    elif isinstance(stored, list) and isinstance(read, list):
        pairs = zip(stored, read, strict=False)
    return next((found for pair in pairs if (found := _lost(*pair))), "")


def check_schema(what: str, *, stored: int, known: int, ruleset: str) -> None:
    """Raise StateUnreadable unless the stored schema is the one that the ruleset has now."""
    if stored != known:
        raise StateUnreadable(
            Finding(
                f"{what}: its states have schema {stored} of {ruleset}, but the installed "
                f"{ruleset} reads schema {known} only",
                f"install the {'newer' if stored > known else 'older'} version of {ruleset}; "
                "the game waits unchanged",
            )
        )


def from_json(text: str, state_type: type[S]) -> S:
    """Return the state in a JSON text. Raises StateUnreadable if it is not one."""
    return decode(zlib.compress(text.encode()), state_type)


def as_json(content: bytes) -> str:
    """Return the encoded state as its JSON text."""
    return zlib.decompress(content).decode("utf-8")


_Sorter = Callable[[Any], Any]
"""Returns a value that JSON or msgspec can encode, with all sets and dicts in it sorted."""


def _sorter(hint: Any) -> _Sorter | None:
    """Return a function that sorts values of a type, or None if nothing in them needs sorting.

    msgspec's own sorting does not support sets of Enums or dicts keyed by numbers. Most of a state
    needs no sorting. This is determined once for each type, and msgspec encodes such parts
    directly.
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
    """Return a sorted value that JSON can encode, from the value itself and not its type."""
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
