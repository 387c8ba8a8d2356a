"""The ticker: takes a step every second, and at the very moment something falls due."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import Final

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from referee.clock.system import now

SECONDS: Final = 1.0
"""Between two steps, when nothing falls due earlier."""

# A tick that comes while a step is still being taken is left out; that is meant and no news.
logging.getLogger("apscheduler").setLevel(logging.ERROR)


class Ticker:
    """Takes steps in a thread of its own, one at a time.

    *step* is called every *seconds*, after ``wake``, and at the moment that *next_due* names
    after each step; neither may raise. Deadlines live in the rows of their games: a ticker that
    is killed loses nothing.
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
        # One worker: two steps never overlap, whichever of the triggers calls for them.
        self._scheduler = BackgroundScheduler(
            timezone="UTC",
            executors={"default": ThreadPoolExecutor(1)},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )

    def start(self) -> None:
        """Take the first step at once and go on until ``stop``."""
        self._scheduler.add_job(
            self._tick, "interval", seconds=self._seconds, next_run_time=now(), id="tick"
        )
        self._scheduler.start()

    def wake(self) -> None:
        """Take a step now; while one is being taken, the next tick does."""
        self._scheduler.add_job(self._tick, "date", id="wake", replace_existing=True)

    def keep(self) -> None:
        """Take a step now if the next one is further away than it may be.

        That is when the clock of the machine was set back: the scheduler goes by that alone, and
        would rest for as long. To be called now and then.
        """
        tick = self._scheduler.get_job("tick")
        if tick.next_run_time > now() + timedelta(seconds=self._seconds):
            tick.modify(next_run_time=now())

    def stop(self, patience_seconds: float = 10.0) -> bool:
        """Take no new step, and return whether the one being taken ended within the patience."""
        ended = Event()

        def end() -> None:
            self._scheduler.shutdown(wait=True)
            ended.set()

        Thread(target=end, name="ticker-stop", daemon=True).start()
        return ended.wait(patience_seconds)

    def _tick(self) -> None:
        self._step()
        due = self._next_due()
        # What is overdue is looked at with every tick anyway; a moment far away is asked for again.
        if due is not None and now() < due <= now() + timedelta(seconds=self._seconds):
            self._scheduler.add_job(
                self._tick, "date", run_date=due, id="due", replace_existing=True
            )
