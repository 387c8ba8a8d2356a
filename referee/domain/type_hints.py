"""Values from the code of other authors, compared with the type hints that they should have."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from types import NoneType, UnionType
from typing import Any, NewType, TypeVar, Union, get_args, get_origin, get_type_hints


@dataclasses.dataclass(frozen=True, slots=True)
class Mismatch:
    """A value that does not fit its hint, with its path, such as ``[0].title``, or ""."""

    path: str
    value: object
    hint: Any

    @property
    def wanted(self) -> str:
        """The hint as it is written in the source, without modules."""
        name = self.hint.__name__ if isinstance(self.hint, type) else ""
        is_plain = get_origin(self.hint) is None and name
        return name if is_plain else re.sub(r"\b(?:\w+\.)+(?=\w)", "", str(self.hint))


Check = Callable[[Any], Mismatch | None]
"""Returns the first mismatch in a value, or None."""

_Parts = Callable[[Any], Iterable[tuple[object, Any, Check]]]
"""Returns the parts of a value: the name or number of each, the part and its check."""


def mismatch(value: object, hint: Any) -> Mismatch | None:
    """Return the first part of *value* that does not fit *hint*, or None.

    A list can take the place of a tuple. What has the type Any, a protocol or a variable is not
    checked.
    """
    return _check(hint)(value)


@cache
def _check(hint: Any) -> Check:
    """Return the check of a hint, which is built once."""
    if isinstance(hint, NewType):
        return _check(hint.__supertype__)
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _either(hint, tuple(_check(each) for each in args))
    if origin is type:
        return _whole(hint, lambda value: value is args[0], _no_parts)
    cls = NoneType if hint is None else origin or hint
    if hint is Any or isinstance(hint, TypeVar) or getattr(cls, "_is_protocol", False):
        return lambda _value: None
    return _whole(hint, _form(cls, args), _parts_of(cls, args))


def _either(hint: Any, checks: Sequence[Check]) -> Check:
    def check(value: Any) -> Mismatch | None:
        nearest = Mismatch("", value, hint)
        for each in checks:
            if (found := each(value)) is None:
                return None
            # A path means that the value itself has the right class.
            nearest = found if found.path else nearest
        return nearest

    return check


def _whole(hint: Any, fits: Callable[[Any], bool], parts: _Parts) -> Check:
    def check(value: Any) -> Mismatch | None:
        if not fits(value):
            return Mismatch("", value, hint)
        for name, part, inner in parts(value):
            if (found := inner(part)) is not None:
                place = f".{name}" if dataclasses.is_dataclass(value) else f"[{name!r}]"
                return Mismatch(f"{place}{found.path}", found.value, found.hint)
        return None

    return check


def _form(cls: Any, args: tuple[Any, ...]) -> Callable[[Any], bool]:
    """Return whether a value is of a class, without its parts."""
    if cls is int:
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    if cls is float:
        return lambda value: isinstance(value, int | float) and not isinstance(value, bool)
    if cls is tuple and args[-1:] != (...,):
        return lambda value: isinstance(value, tuple | list) and len(value) == len(args)
    if cls is tuple:
        return lambda value: isinstance(value, tuple | list)
    if cls is frozenset:
        return lambda value: isinstance(value, Set)
    if cls is Sequence:
        return lambda value: isinstance(value, Sequence) and not isinstance(value, str | bytes)
    if cls is Callable:
        return callable
    return lambda value: isinstance(value, cls)


def _parts_of(cls: Any, args: tuple[Any, ...]) -> _Parts:
    if dataclasses.is_dataclass(cls):
        return _fields(cls)
    if cls is tuple and args[-1:] != (...,):
        checks = [_check(each) for each in args]
        return lambda value: zip(range(len(checks)), value, checks, strict=True)
    if cls in (tuple, frozenset, Sequence):
        item = _check(args[0])
        return lambda value: ((number, part, item) for number, part in enumerate(value))
    if cls is Mapping:
        return _items(_check(args[0]), _check(args[1]))
    return _no_parts


def _fields(cls: Any) -> _Parts:
    hints = get_type_hints(cls)
    checks = [(field.name, _check(hints[field.name])) for field in dataclasses.fields(cls)]
    return lambda value: ((name, getattr(value, name), check) for name, check in checks)


def _items(key: Check, item: Check) -> _Parts:
    def parts(value: Mapping[Any, Any]) -> Iterator[tuple[object, Any, Check]]:
        for name, part in value.items():
            yield name, name, key
            yield name, part, item

    return parts


def _no_parts(_value: Any) -> Iterable[tuple[object, Any, Check]]:
    return ()
