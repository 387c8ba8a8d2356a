"""Faults that cost an answer one part, and nothing else."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from referee.errors import RefereeError, is_interrupt
from referee.rules.ruleset import Ruleset
from referee.store.database.db_errors import concerns_database

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SparedFault:
    """A part of an answer that could not be made, and the exception.

    The operator gets the *reference*. The caller that opened the transaction logs the fault after
    the commit.
    """

    part: str
    reference: str
    error: BaseException
    letter: int
    game: int | None
    ruleset: str
    """The key of the ruleset that failed, or ""."""

    @property
    def cause(self) -> str:
        """The exception and its place, without a message that could have a secret of a player."""
        if isinstance(self.error, RefereeError):
            return f"The cause: {self.error}."
        name, frames = type(self.error).__name__, traceback.extract_tb(self.error.__traceback__)
        ours = [frame for frame in frames if not _is_standard(frame.filename)]
        if not ours:
            return f"The exception is {name}."
        file = "/".join(Path(ours[-1].filename).parts[-2:])
        return f"The exception is {name} in {file}, line {ours[-1].lineno}, in {ours[-1].name}."


def package_of(rules: Ruleset[Any, Any]) -> str:
    """Return the name of the top-level package that a ruleset is in."""
    return rules.__class__.__module__.partition(".")[0]


def spare(work: Callable[[], T], failed: Callable[[BaseException], T]) -> T:
    """Return the result of *work*; if it raises, the result of *failed*.

    Database errors and interrupts are raised again: after a database error the whole transaction is
    lost.
    """
    try:
        return work()
    except BaseException as error:
        if is_interrupt(error) or concerns_database(error):
            raise
        return failed(error)


def _is_standard(file: str) -> bool:
    """Return whether a file is in the standard library, whose errors come from its caller."""
    return Path(file).is_relative_to(Path(traceback.__file__).parent) and "-packages" not in file
