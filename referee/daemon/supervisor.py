"""The guard: whatever a piece of work raises, it is written down and the loop lives on."""

import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from referee.daemon import logs
from referee.errors import RefereeError
from referee.tally import Counted, Tally

log = logging.getLogger(__name__)

FIRST_PAUSE: Final = timedelta(seconds=2)
LONGEST_PAUSE: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Failure:
    """A piece of work failed: the reference number that stands in the log, and what was raised."""

    reference: str
    error: BaseException


@dataclass(frozen=True, slots=True)
class _Backoff:
    failures: int
    until: datetime


_Step = tuple[str, int | None]
"""The name of a step, and the game if it is taken in each game by itself."""


def new_reference() -> str:
    """Return the number under which a trouble stands in the log, and which may be told to
    anybody."""
    return secrets.token_hex(4)


class Supervisor:
    """Keeps a failing step from ending the loop, and from being tried without a pause."""

    def __init__(self, tally: Tally | None = None) -> None:
        self._tally = tally or Tally()
        self._steps: dict[_Step, _Backoff] = {}
        self._beat = time.monotonic()

    @property
    def silence(self) -> float:
        """How many seconds ago a piece of work last went on."""
        return time.monotonic() - self._beat

    def touch(self) -> None:
        """Say that the work at hand goes on, though it has not ended."""
        self._beat = time.monotonic()

    def count(self) -> None:
        """Count a trouble that was met, and written down, in another process."""
        self._tally.add(Counted.TROUBLES)

    def attempt(self, work: Callable[[], object], **known: object) -> Failure | None:
        """Do a piece of work, and return the trouble, which is logged with all *known*, or None."""
        if (error := self._caught(work)) is None:
            return None
        return self.note(error, new_reference(), **known)

    def note(self, error: BaseException, reference: str, **known: object) -> Failure:
        """Log and count what was raised and caught elsewhere, under its *reference*."""
        self._tally.add(Counted.TROUBLES)
        _log(error, reference, known)
        return Failure(reference, error)

    def venture(self, work: Callable[[], object]) -> bool:
        """Try a piece of work whose parts are all attempted if it fails, and return whether it
        went well.

        What it raises is not told: it is raised again, and told, by the part that is to blame.
        """
        return self._caught(work) is None

    def step(self, name: str, work: Callable[[], object], now: datetime) -> bool:
        """Take a step of the loop, unless it pauses after a failure, and return whether it went
        well.

        Each failure in a row doubles the pause, up to five minutes.
        """
        if self._pauses((name, None), now):
            return False
        trouble = self.attempt(work, step=name)
        self._note((name, None), trouble, now)
        return trouble is None

    def step_in_game(
        self, name: str, game: int, work: Callable[[], object], now: datetime
    ) -> Failure | None:
        """Take a step of the loop in one game as ``step`` does; return the trouble, if there is.

        It pauses in that game alone.
        """
        if self._pauses((name, game), now):
            return None
        trouble = self.attempt(work, step=name, game=game)
        self._note((name, game), trouble, now)
        return trouble

    def _pauses(self, step: _Step, now: datetime) -> bool:
        # Waiting out a pause is a sign of life, however long the pause is.
        self.touch()
        return step in self._steps and now < self._steps[step].until

    def _note(self, step: _Step, trouble: Failure | None, now: datetime) -> None:
        """Let a step that failed pause, each time twice as long."""
        before = self._steps.pop(step, None)
        if trouble is not None:
            failures = before.failures if before is not None else 0
            pause = min(FIRST_PAUSE * 2 ** min(failures, 16), LONGEST_PAUSE)
            self._steps[step] = _Backoff(failures + 1, now + pause)

    def _caught(self, work: Callable[[], object]) -> BaseException | None:
        self.touch()
        try:
            work()
        except KeyboardInterrupt:
            raise
        # A ruleset that calls sys.exit() ends its own piece of work and not the program.
        except BaseException as error:  # noqa: BLE001 - the one place where everything is caught
            return error
        finally:
            self.touch()
        return None


def _log(error: BaseException, reference: str, known: dict[str, object]) -> None:
    # The words of our own errors are written for the operator; all others may hold anything.
    words = str(error) if isinstance(error, RefereeError) else None
    if isinstance(error, OSError):
        words = error.strerror
    log.error(
        "%s",
        logs.line(
            "trouble",
            reference=reference,
            **known,
            error=logs.kind(error),
            words=words,
            where=logs.where(error),
        ),
    )
