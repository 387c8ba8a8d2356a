"""Faults that cost a letter one part of its answer and nothing else of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from referee.store.database.db_errors import concerns_database

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SparedFault:
    """A part of an answer that could not be made, and what was raised.

    The *reference* is told to the operator; whoever opened the transaction writes it into the log
    once that has committed.
    """

    part: str
    reference: str
    error: BaseException
    letter: int
    game: int | None


def spare(work: Callable[[], T], failed: Callable[[BaseException], T]) -> T:
    """Return what *work* gives; if it raises, what *failed* makes of that.

    What the database complains of is raised again, because then the whole transaction is lost.
    """
    try:
        return work()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if concerns_database(error):
            raise
        return failed(error)
