"""Supervisor: log every failure and keep the loop running."""

import logging
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from referee.daemon import logs
from referee.desk.base.desk import SparedFault
from referee.errors import RefereeError, is_interrupt
from referee.tally import Counted, Tally

log = logging.getLogger(__name__)

FIRST_PAUSE: Final = timedelta(seconds=2)
LONGEST_PAUSE: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure, with what was raised and its reference number in the log."""

    reference: str
    error: BaseException


@dataclass(frozen=True, slots=True)
class _Backoff:
    failures: int
    until: datetime


_Step = tuple[str, int | None]
"""The name of a step, with the game if the step is taken in each game separately."""


def new_reference() -> str:
    """Return a new reference number, which identifies a failure in the log and reveals nothing."""
    return secrets.token_hex(4)


class Supervisor:
    """Keeps a failing step from ending the loop, and retries it with exponential backoff."""

    def __init__(self, tally: Tally | None = None) -> None:
        self._tally = tally or Tally()
        self._steps: dict[_Step, _Backoff] = {}
        self._beat = time.monotonic()

    @property
    def silence(self) -> float:
        """Return the seconds since the last progress."""
        return time.monotonic() - self._beat

    def touch(self) -> None:
        """Record progress of the current work."""
        self._beat = time.monotonic()

    def count(self) -> None:
        """Count a failure that another process has logged."""
        self._tally.add(Counted.FAILURES)

    def attempt(self, work: Callable[[], object], **known: object) -> Failure | None:
        """Do some work; log a failure with the *known* fields and return it, or None."""
        if (error := self._caught(work)) is None:
            return None
        return self.note(error, new_reference(), **known)

    def note(self, error: BaseException, reference: str, **known: object) -> Failure:
        """Log and count a failure that was caught elsewhere, under its *reference*."""
        self._tally.add(Counted.FAILURES)
        _log(error, reference, known)
        return Failure(reference, error)

    def note_spared(self, faults: Iterable[SparedFault]) -> None:
        """Log and count faults that did not end their work, after its transaction."""
        for fault in faults:
            letter = {} if fault.letter is None else {"letter": fault.letter}
            known = {**letter, "game": fault.game, "part": fault.part, "ruleset": fault.ruleset}
            self.note(fault.error, fault.reference, **known)

    def try_work(self, work: Callable[[], object]) -> bool:
        """Try some work, and return whether it succeeded, without logging a failure.

        The caller then attempts its parts one by one, and the failing part logs the error.
        """
        return self._caught(work) is None

    def step(self, name: str, work: Callable[[], object], now: datetime) -> bool:
        """Take a step of the loop, unless it is in backoff; return whether it succeeded.

        Each failure in a row doubles the pause, up to five minutes.
        """
        if self._is_in_backoff((name, None), now):
            return False
        failure = self.attempt(work, step=name)
        self._update_backoff((name, None), failure, now)
        return failure is None

    def step_in_game(
        self, name: str, game: int, work: Callable[[], object], now: datetime
    ) -> Failure | None:
        """Take a step of the loop in one game; return its failure, or None.

        Backoff is as in ``step``, but for this game only.
        """
        if self._is_in_backoff((name, game), now):
            return None
        failure = self.attempt(work, step=name, game=game)
        self._update_backoff((name, game), failure, now)
        return failure

    def _is_in_backoff(self, step: _Step, now: datetime) -> bool:
        # Waiting in backoff counts as progress.
        self.touch()
        if step not in self._steps:
            return False
        until = self._steps[step].until
        # A clock that was ahead when the step failed is set back again.
        return until - LONGEST_PAUSE <= now < until

    def _update_backoff(self, step: _Step, failure: Failure | None, now: datetime) -> None:
        """Start, double or end the backoff of a step."""
        before = self._steps.pop(step, None)
        if failure is not None:
            failures = before.failures if before is not None else 0
            pause = min(FIRST_PAUSE * 2 ** min(failures, 16), LONGEST_PAUSE)
            self._steps[step] = _Backoff(failures + 1, now + pause)

    def _caught(self, work: Callable[[], object]) -> BaseException | None:
        self.touch()
        try:
            work()
        # A ruleset that calls sys.exit() ends only its own work, not the program.
        except BaseException as error:
            if is_interrupt(error):
                raise
            return error
        finally:
            self.touch()
        return None


def _log(error: BaseException, reference: str, known: dict[str, object]) -> None:
    # Messages of our own errors are for the operator; others may contain private data.
    words = str(error) if isinstance(error, RefereeError) else None
    if isinstance(error, OSError):
        words, known = error.strerror, {**known, "file": error.filename}
    log.error(
        "%s",
        logs.line(
            "failure",
            reference=reference,
            **known,
            error=logs.kind(error),
            words=words,
            where=logs.where(error),
        ),
    )
