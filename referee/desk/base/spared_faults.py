"""Faults that cost an answer one part, and nothing else."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

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


def spare(work: Callable[[], T], failed: Callable[[BaseException], T]) -> T:
    """Return the result of *work*; if it raises, the result of *failed*.

    Database errors and interrupts are raised again: after a database error the whole transaction is
    lost.
    """
    try:
        return work()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if concerns_database(error):
            raise
        return failed(error)
