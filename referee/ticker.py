"""The ticker: steps at regular intervals, the only module that imports APScheduler."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger

from referee.clock import now

SECONDS: Final = 5.0
"""The pause between two steps if nothing falls due earlier."""
OVERDUE_SECONDS: Final = 1.0
"""The pause after which a step is repeated that left something overdue."""
_NEVER: Final = datetime(9000, 1, 1, tzinfo=UTC)

# A tick during a step is skipped; this is intended and need not be logged.
logging.getLogger("apscheduler").setLevel(logging.ERROR)


class _Pulse(BaseTrigger):  # type: ignore[misc] # APScheduler has no types.
    """Ticks at regular intervals, but never twice for the time that has passed.

    APScheduler lists every tick of its own trigger that was missed: 2 GB after a jump of the clock
    by a year.
    """

    def __init__(self, interval: timedelta) -> None:
        self._interval = interval

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime:
        """Return the moment after the *previous* tick, later than *now*."""
        return max(previous or now, now) + self._interval


class _Once(BaseTrigger):  # type: ignore[misc] # APScheduler has no types.
    """Ticks once, at a moment, and then not for ages.

    A trigger without a next tick makes the scheduler remove its job, which fails in its thread if
    the scheduler is shut down at that moment.
    """

    def __init__(self, at: datetime) -> None:
        self._at = at

    def get_next_fire_time(self, previous: datetime | None, _now: datetime) -> datetime:
        """Return the moment, or one that never comes."""
        return self._at if previous is None else _NEVER


class Ticker:
    """Takes steps in its own thread, one at a time.

    *step* is called every *seconds*, after ``wake``, and at the moment that *next_due* returns
    after each regular step; neither may raise. Deadlines are stored with their games, so a ticker
    that is killed loses nothing.
    """

    def __init__(
        self,
        step: Callable[[], object],
        next_due: Callable[[], datetime | None],
        seconds: float = SECONDS,
    ) -> None:
        self._step = step
        self._next_due = next_due
        self._seconds = seconds
        self._is_stopped = False
        self._at_work = Lock()
        # With one worker, steps never overlap, whatever triggers them.
        self._scheduler = BackgroundScheduler(
            timezone="UTC",
            executors={"default": ThreadPoolExecutor(1)},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )

    def start(self) -> None:
        """Take the first step at once, and continue until ``stop``."""
        pulse = _Pulse(timedelta(seconds=self._seconds))
        self._scheduler.add_job(self._tick, pulse, next_run_time=now(), id="tick")
        # Two, so that a call of wake during the step of another one is not dropped.
        self._scheduler.add_job(self._take, _Once(_NEVER), id="wake", max_instances=2)
        self._scheduler.start()

    def wake(self) -> None:
        """Take a step now, or as soon as the one in progress has ended."""
        # A new job each time would take longer: APScheduler inspects its function.
        self._scheduler.modify_job("wake", next_run_time=now())

    def keep(self) -> None:
        """Take a step now if the next one is too far away.

        This happens when the machine's clock was set back, because the scheduler uses only that
        clock. Call it regularly.
        """
        tick = self._scheduler.get_job("tick")
        if tick.next_run_time > now() + timedelta(seconds=self._seconds):
            tick.modify(next_run_time=now())

    def stop(self, patience_seconds: float = 10.0) -> bool:
        """Take no new step; return whether the current one ended within the time limit."""
        self._is_stopped = True
        # If the scheduler itself waited, it would wait forever for a step that adds a job to it.
        self._scheduler.shutdown(wait=False)
        has_ended = self._at_work.acquire(timeout=patience_seconds)
        if has_ended:
            self._at_work.release()
        return has_ended

    def _take(self) -> None:
        with self._at_work:
            if not self._is_stopped:
                self._step()

    def _tick(self) -> None:
        self._take()
        if self._is_stopped:
            return
        due, moment = self._next_due(), now()
        if due is not None and due <= moment:
            due = moment + timedelta(seconds=OVERDUE_SECONDS)
        # A distant moment is asked for again.
        if due is not None and due <= moment + timedelta(seconds=self._seconds):
            self._scheduler.add_job(self._tick, _Once(due), id="due", replace_existing=True)
