"""A scanner that reads a text from start to end and knows its position."""

import re
from typing import Final

from referee.rules.ruleset import UserError

_BLANKS: Final = re.compile(r"\s*")


class Scanner:
    """A text and the position up to which it has been read.

    Blanks and line ends between the parts are skipped.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def sees(self, pattern: re.Pattern[str]) -> bool:
        """Return whether *pattern* comes next."""
        return pattern.match(self.text, self._next()) is not None

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return the match of *pattern* if it comes next, and skip it."""
        found = pattern.match(self.text, self._next())
        if found:
            self.position = found.end()
        return found

    def expect(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        """Return the match of *pattern*, and skip it. Raises UserError if it does not come next."""
        found = self.take(pattern)
        if found is None:
            self.position = self._next()
            raise self.mistake(f"expected {what}, but found {self._shown()}")
        return found

    def at_end(self) -> bool:
        """Return whether only blanks are left."""
        return self._next() == len(self.text)

    def place(self) -> str:
        """Return where the next part begins: ``line 2, column 7``."""
        return self._place(self._next())

    def mistake(self, message: str, position: int | None = None) -> UserError:
        """Return the error *message* with its line and column, here or at *position*."""
        place = self.place() if position is None else self._place(position)
        return UserError(f"{place}: {message}")

    def _next(self) -> int:
        found = _BLANKS.match(self.text, self.position)
        assert found is not None
        return found.end()

    def _place(self, position: int) -> str:
        before = self.text[:position]
        line = before.count("\n") + 1
        return f"line {line}, column {position - before.rfind(chr(10))}"

    def _shown(self) -> str:
        rest = self.text[self.position :].split("\n", 1)[0]
        if not rest:
            return "the end"
        return f'"{rest[:20]}..."' if len(rest) > 20 else f'"{rest}"'
