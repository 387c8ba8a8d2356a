"""A state as lines of text, for corrections by GMs and for the test cases of a game."""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from referee.rules.ruleset import UserError
from referee.rules.scenarios import (
    Case,
    Decided,
    Game,
    ScenarioRunner,
    lines_of,
    wrong_winners,
)


class Changing(Decided, Protocol):
    """A state of which a copy can be changed."""

    def copy(self) -> Self:
        """Return a copy that shares nothing mutable."""


S = TypeVar("S", bound=Changing)


@dataclass(frozen=True, slots=True)
class Notation(Generic[S]):
    """The lines that describe a game's state: what each form of a line sets, and all lines.

    A change is called with the state and the match of the line. It changes the state and returns
    what is true now; None means the line itself.
    """

    changes: tuple[tuple[re.Pattern[str], Callable[[S, re.Match[str]], str | None]], ...]
    lines: Callable[[S], set[str]]
    """Return everything in a state that a line can set, one line each."""
    forms: str
    """The forms of the lines: ``W12 [ALMA] 3 or HOME [ALMA] W12``."""
    example: str
    """An example with its effect: ``HOME [ALMA] W12 would set a homeworld``."""

    def apply(self, state: S, line: str) -> str:
        """Apply a line to *state* and return its effect. Raises UserError if no form matches."""
        for pattern, change in self.changes:
            if (found := pattern.fullmatch(line)) is not None:
                return change(state, found) or f"Now: {line}."
        raise UserError(f"{line}: should be like {self.forms}.")

    def correct(self, state: S, text: str) -> tuple[S, str]:
        """Return the state after a GM's correction, and its effect, as in ``Ruleset``."""
        state = state.copy()
        effects = [self._corrected(state, line) for line in lines_of(text)]
        if not effects:
            raise UserError(f"There is no line; {self.example}.")
        return state, "\n".join(effects)

    def _corrected(self, state: S, line: str) -> str:
        """Apply a line to *state* and return its effect, with the lines of before that undo it."""
        before = self.lines(state)
        effect, after = self.apply(state, line), self.lines(state)
        if before == after:
            return f"{effect} That is so already."
        gone = "; ".join(sorted(before - after))
        return f"{effect} Before: {gone}." if gone else effect


class NotationRunner(ScenarioRunner[S]):
    """A runner of cases whose ``given`` and ``then`` are lines of a notation.

    A line of ``then`` is true if it changes nothing. ``winners`` is compared as well.
    """

    notation: Notation[S]

    @abstractmethod
    def empty(self, case: Case) -> S:
        """Return a state with the players and options of a case, and an empty board."""

    def begin(self, case: Case) -> S:
        """Return the state that the lines of ``given`` describe."""
        state = self.empty(case)
        for line in lines_of(str(case.get("given", ""))):
            self.notation.apply(state, line)
        return state

    def differences(self, case: Case, before: S, after: S, game: Game) -> Iterator[str]:
        """Yield the differences from ``then`` and ``winners``."""
        del before, game
        there = self.notation.lines(after)
        for line in lines_of(str(case.get("then", ""))):
            wanted = after.copy()
            self.notation.apply(wanted, line)
            if missing := there - self.notation.lines(wanted):
                yield f"{line}: found {'; '.join(sorted(missing))}"
            elif added := self.notation.lines(wanted) - there:
                yield f"{line}: found no {'; '.join(sorted(added))}"
        yield from wrong_winners(case, after)
