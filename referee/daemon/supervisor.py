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
    error: Exception


@dataclass(slots=True)
class _Backoff:
    failures: int = 0
    until: datetime | None = None


def new_reference() -> str:
    """Return the number under which a trouble stands in the log, and which may be told to
    anybody."""
    return secrets.token_hex(4)


class Supervisor:
    """Keeps a failing step from ending the loop, and from being tried without a pause."""

    def __init__(self, tally: Tally | None = None) -> None:
        self._tally = tally or Tally()
        self._steps: dict[str, _Backoff] = {}
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
        self._tally.add(Counted.TROUBLES)
        return _told(error, known)

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
        backoff = self._steps.setdefault(name, _Backoff())
        # Who waits out a pause is alive, however long the pause is.
        self.touch()
        if backoff.until is not None and now < backoff.until:
            return False
        if self.attempt(work, step=name) is None:
            self._steps[name] = _Backoff()
            return True
        pause = min(FIRST_PAUSE * 2 ** min(backoff.failures, 16), LONGEST_PAUSE)
        self._steps[name] = _Backoff(backoff.failures + 1, now + pause)
        return False

    def _caught(self, work: Callable[[], object]) -> Exception | None:
        self.touch()
        try:
            work()
        except Exception as error:  # noqa: BLE001 - the one place where everything is caught
            return error
        finally:
            self.touch()
        return None


def _told(error: Exception, known: dict[str, object]) -> Failure:
    reference = new_reference()
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
    return Failure(reference, error)
