"""A state as lines of text: what GMs' corrections and test cases of a game are written in."""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from referee.rules.ruleset import Seat, UserError
from referee.rules.scenarios import (
    Case,
    Decided,
    Game,
    ScenarioRunner,
    entries,
    lines_of,
    seat_under,
    untold,
    wrong_winners,
)


class Changing(Decided, Protocol):
    """A state of which a copy can be changed."""

    def copy(self) -> Self:
        """Return a copy that shares nothing that changes."""


S = TypeVar("S", bound=Changing)


@dataclass(frozen=True, slots=True)
class Notation(Generic[S]):
    """The lines a game's state is written in: what each form of a line sets, and all there is.

    A change is called with the state and the line that was found. It changes the state and
    returns what is true now; None stands for the line itself.
    """

    changes: tuple[tuple[re.Pattern[str], Callable[[S, re.Match[str]], str | None]], ...]
    lines: Callable[[S], set[str]]
    """Returns everything in a state that a line can set, one line each."""
    forms: str
    """What lines look like: ``W12 [ALMA] 3 or HOME [ALMA] W12``."""
    example: str
    """One of them and what it does: ``HOME [ALMA] W12 would set a homeworld``."""

    def apply(self, state: S, line: str) -> str:
        """Set what a line says in *state* and return its effect. Raises UserError for no line."""
        for pattern, change in self.changes:
            if (found := pattern.fullmatch(line)) is not None:
                return change(state, found) or f"Now {line}."
        raise UserError(f"{line}: should be like {self.forms}.")

    def correct(self, state: S, text: str) -> tuple[S, str]:
        """Return the state as a GM's correction sets it, and its effect, as in ``Ruleset``."""
        state = state.copy()
        effects = [self.apply(state, line) for line in lines_of(text)]
        if not effects:
            raise UserError(f"There is no line; {self.example}.")
        return state, "\n".join(effects)


class NotationRunner(ScenarioRunner[S]):
    """Runs cases whose ``given`` and ``then`` are lines of a notation.

    A line of ``then`` is true if it changes nothing. Beside it ``winners`` is compared, and
    ``tells`` with what each player is told of the turn.
    """

    notation: Notation[S]

    @abstractmethod
    def empty(self, case: Case) -> S:
        """Return a state with the players and options of a case, and nothing on the board."""

    @abstractmethod
    def told(self, state: S, seat: Seat) -> str:
        """Return what a player is told of the turn before."""

    def begin(self, case: Case) -> S:
        """Return the state that the lines of ``given`` describe."""
        state = self.empty(case)
        for line in lines_of(str(case.get("given", ""))):
            self.notation.apply(state, line)
        return state

    def differences(self, case: Case, before: S, after: S, game: Game) -> Iterator[str]:
        """Yield what is not as ``then``, ``winners`` and ``tells`` say."""
        del before, game
        there = self.notation.lines(after)
        for line in lines_of(str(case.get("then", ""))):
            wanted = after.copy()
            self.notation.apply(wanted, line)
            if missing := there - self.notation.lines(wanted):
                yield f"{line}: there is {'; '.join(sorted(missing))}"
            elif added := self.notation.lines(wanted) - there:
                yield f"{line}: there is no {'; '.join(sorted(added))}"
        yield from wrong_winners(case, after)
        yield from self.wrong_reports(case, after)

    def wrong_reports(self, case: Case, after: S) -> Iterator[str]:
        """Yield the texts under ``tells`` that a player is not told."""
        for name, texts in entries(case, "tells"):
            yield from untold(name, texts, self.told(after, seat_under(after, "tells", name)))
