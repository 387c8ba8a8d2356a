"""The tables of a scenario file, with a typed reader for each kind of value."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.rules.ruleset import UserError

MISSING: Final = object()


class Fields:
    """A table of a scenario file; each method reads a value of one type.

    Every method raises UserError, with the place, if the value is of another type.
    """

    def __init__(self, content: Mapping[str, Any], above: str = "") -> None:
        self._content, self._above = content, above

    def names(self) -> Sequence[str]:
        """Return the keys of the table."""
        return list(self._content)

    def allow(self, *keys: str) -> None:
        """Raise UserError if a key is not one of *keys*."""
        for key in self._content:
            if key not in keys:
                place = self._above.rstrip(".") or "a case"
                raise UserError(
                    f'"{key}" is not a key of {place}; the keys are {", ".join(sorted(keys))}'
                )

    def raw(self, key: str) -> Any:
        """Return a value unchanged."""
        return self._content[key]

    def text(self, key: str, default: Any = MISSING) -> str:
        """Return a text."""
        return str(self._take(key, str, "text", default))

    def number(self, key: str, default: Any = MISSING) -> int:
        """Return a whole number."""
        return int(self._take(key, int, "a whole number", default))

    def flag(self, key: str, default: Any = MISSING) -> bool:
        """Return true or false."""
        return bool(self._take(key, bool, "true or false", default))

    def pair(self, key: str) -> tuple[int, int]:
        """Return two whole numbers, such as a place on a map."""
        numbers = self.numbers(key)
        if len(numbers) != 2:
            raise UserError(f"{self._above}{key}: should be two whole numbers")
        return numbers[0], numbers[1]

    def texts(self, key: str) -> list[str]:
        """Return a list of texts, or one text as its lines."""
        value = self._content.get(key, [])
        if isinstance(value, str):
            return value.splitlines()
        return self._list(key, str, "texts")

    def numbers(self, key: str) -> list[int]:
        """Return a list of whole numbers."""
        return self._list(key, int, "whole numbers")

    def flags(self, key: str) -> list[bool]:
        """Return a list of true and false."""
        return self._list(key, bool, "true and false")

    def table(self, key: str) -> "Fields":
        """Return a table, or an empty one if the key is missing."""
        return Fields(self._take(key, Mapping, "a table", {}), f"{self._above}{key}.")

    def tables(self, key: str) -> list["Fields"]:
        """Return a list of tables."""
        rows = self._list(key, Mapping, "tables")
        return [Fields(row, f"{self._above}{key}[{at}].") for at, row in enumerate(rows)]

    def _take(self, key: str, kind: Any, what: str, default: Any) -> Any:
        value = self._content.get(key, default)
        if value is MISSING:
            raise UserError(f"{self._above}{key}: is missing")
        if value is default:
            return value
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise UserError(f"{self._above}{key}: should be {what}")
        return value

    def _list(self, key: str, kind: Any, what: str) -> list[Any]:
        value = self._content.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, kind) for each in value):
            raise UserError(f"{self._above}{key}: should be a list of {what}")
        return value
