"""The results of a ruleset's functions, checked before anything else uses them.

Their author may have made a mistake. Without this check, a wrong type would fail far from the
function that returned it, and a text without an end would go into a letter.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Any, Final, NewType, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from referee.errors import RefereeError
from referee.rules import views
from referee.rules.ruleset import Grammar, Resolution, Ruleset, Seat


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
        return name if is_plain else re.sub(r"\b(?:\w+\.)+(?=\w)|\[~.*\]", "", str(self.hint))


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


# Two grammars are the same if they are one object, and each turn asks for it again.
@lru_cache(maxsize=64)
def _grammar_mismatch(grammar: Grammar) -> Mismatch | None:
    return mismatch(grammar, Grammar)


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


LONGEST_TEXT: Final = 4_000
"""The most characters of one text, such as the explanation of an order."""
LONGEST_BLOCK: Final = 100_000
"""The most characters of one text in a view or a map."""
MOST_TEXT: Final = 1_000_000
"""The most characters of all texts that a function returns together."""

RETURNED: Final[Mapping[str, Any]] = {
    name: get_type_hints(member)["return"]
    for name, member in vars(Ruleset).items()
    if callable(member) and not name.startswith("_")
}
"""The types that the functions of a ruleset return, by their names."""
_OF_TEXT: Final = frozenset(name for name, hint in RETURNED.items() if hint is str)
_IN_BLOCKS: Final = frozenset({"view", "forecast", "chart", "verdict"})
_UNLIMITED: Final = frozenset({"grammar"})
"""Functions whose texts do not go into letters."""
_HOMES: Final = frozenset({Resolution.__module__, views.__name__})
"""The modules whose classes have texts for letters; a state or an order is not looked into."""


class WrongResult(RefereeError):
    """A function of a ruleset returned a wrong type or too long a text; no text of it is quoted."""


def checked_result(
    rules: Ruleset[Any, Any], name: str, result: Any, args: Sequence[Any] = ()
) -> Any:
    """Return the *result* of the function *name* for its *args*. Raises WrongResult."""
    is_short = isinstance(result, str) and len(result) <= LONGEST_TEXT
    if is_short and name in _OF_TEXT:
        # Most calls: two for every order of a sheet.
        return result
    if name in RETURNED and (fault := _fault(rules, name, result, args)):
        raise WrongResult(f"{name} of the ruleset {rules.info.key} returns {fault}")
    return result


def checked(rules: Ruleset[Any, Any]) -> Ruleset[Any, Any]:
    """Return the ruleset with a check of every result. Its functions raise WrongResult, too."""
    return cast("Ruleset[Any, Any]", _CheckedRules(rules))


class _CheckedRules:
    def __init__(self, rules: Ruleset[Any, Any]) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._rules, name)
        if name not in RETURNED:
            return found
        return lambda *args: checked_result(self._rules, name, found(*args), args)


def _fault(rules: Ruleset[Any, Any], name: str, result: Any, args: Sequence[Any]) -> str:
    """Return the fault of a result in words, or ""."""
    is_grammar = name == "grammar" and isinstance(result, Grammar)
    wrong = _grammar_mismatch(result) if is_grammar else mismatch(result, RETURNED[name])
    if wrong is not None:
        there = " there" if wrong.path else ""
        return f"{_at(wrong.path, wrong.value)}, but must return {wrong.wanted}{there}"
    for path, state in _states(name, result):
        if not isinstance(state, rules.state_type):
            return f"{_at(path, state)}, but its state_type is {rules.state_type.__name__}"
    if name == "validate" and args and len(result) != len(args[-1]):
        return f"{len(result)} rulings for {len(args[-1])} orders"
    most = rules.info.most_seats
    if (strange := [seat for seat in _seats(name, result) if not 1 <= seat <= most]) != []:
        return f"seat {strange[0]}, but the seats are numbered from 1 to at most {most}"
    return "" if name in _UNLIMITED else _excess(name, result)


def _seats(name: str, result: Any) -> Iterable[Seat]:
    """Return the seats that a result names."""
    match name:
        case "phase":
            return cast("Iterable[Seat]", result.awaiting | result.out)
        case "resolve":
            return (*result.outcomes, *(seat for e in result.events for seat in e.audience or ()))
        case "verdict" if result is not None:
            return cast("Iterable[Seat]", result.winners)
    return ()


def _at(path: str, value: object) -> str:
    return f"{type(value).__name__}{path and f' at {path}'}"


def _states(name: str, result: Any) -> Iterator[tuple[str, Any]]:
    match name:
        case "setup":
            yield "", result
        case "resolve":
            yield ".state", result.state
        case "correct":
            yield "[0]", result[0]


def _excess(name: str, result: Any) -> str:
    """Return in words that a text, or all together, are too long, or ""."""
    limit = LONGEST_BLOCK if name in _IN_BLOCKS else LONGEST_TEXT
    lengths = [*map(len, _texts(result))]
    longest, total = max(lengths, default=0), sum(lengths)
    if longest > limit:
        return f"a text of {longest:,} characters; at most {limit:,} are allowed"
    if total > MOST_TEXT:
        return f"texts of {total:,} characters; at most {MOST_TEXT:,} are allowed together"
    return ""


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a result that can go into a letter."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    else:
        kind: Any = type(value)
        for name in _parts_with_texts(kind):
            yield from _texts(getattr(value, name))


@cache
def _parts_with_texts(cls: Any) -> Sequence[str]:
    is_view = cls.__module__ in _HOMES and is_dataclass(cls)
    return [field.name for field in fields(cls)] if is_view else ()
