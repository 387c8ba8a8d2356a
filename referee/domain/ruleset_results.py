"""The results of a ruleset's functions, checked before anything else uses them.

Their author may have made a mistake. Without this check, a wrong type would fail far from the
function that returned it, and a text without an end would go into a letter.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final, cast, get_type_hints

from referee.domain.type_hints import mismatch
from referee.errors import RefereeError
from referee.rules import views
from referee.rules.ruleset import Resolution, Ruleset, Seat

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


def checked_result(rules: Ruleset[Any, Any], name: str, result: Any) -> Any:
    """Return the *result* of the function *name*. Raises WrongResult."""
    is_short = isinstance(result, str) and len(result) <= LONGEST_TEXT
    if is_short and name in _OF_TEXT:
        # Most calls: two for every order of a sheet.
        return result
    if name in RETURNED and (fault := _fault(rules, name, result)):
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
        return lambda *args: checked_result(self._rules, name, found(*args))


def _fault(rules: Ruleset[Any, Any], name: str, result: Any) -> str:
    """Return the fault of a result in words, or ""."""
    if (wrong := mismatch(result, RETURNED[name])) is not None:
        there = " there" if wrong.path else ""
        return f"{_at(wrong.path, wrong.value)}, but must return {wrong.wanted}{there}"
    for path, state in _states(name, result):
        if not isinstance(state, rules.state_type):
            return f"{_at(path, state)}, but its state_type is {rules.state_type.__name__}"
    most = rules.info.most_seats
    if (strange := [seat for seat in _seats(name, result) if not 1 <= seat <= most]) != []:
        return f"seat {strange[0]}, but the seats are numbered from 1 to at most {most}"
    return "" if name in _UNLIMITED else _excess(name, result)


def _seats(name: str, result: Any) -> Iterable[Seat]:
    """Return the seats that a result names."""
    match name:
        case "phase":
            return cast("Iterable[Seat]", result.awaiting)
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
    elif type(value).__module__ in _HOMES and is_dataclass(value):
        for field in fields(value):
            yield from _texts(getattr(value, field.name))
