"""Lanes: threads in which turns are adjudicated beside the loop, two with one worker."""

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from referee.app import App
from referee.clock import now
from referee.daemon.supervisor import Supervisor
from referee.daemon.turn_queue import Carry, TurnQueue, carry_here
from referee.daemon.worker import Worker, WorkerConfig
from referee.desk.due.adjudication import DueCutoff

_PAUSE_SECONDS: Final = 1.0


def workers_here(wanted: int | None) -> int:
    """Return how many workers there are: what is *wanted*, or one for each core if it has
    several."""
    if wanted is not None:
        return wanted
    cores = len(os.sched_getaffinity(0))
    return cores if cores > 1 else 0


@dataclass(frozen=True, slots=True)
class TurnThread:
    """One turn after the other: what carries a turn out, and what ends that at once."""

    guard: Supervisor
    carry: Carry
    end: Callable[[], object] = bool
    wake: threading.Event = field(default_factory=threading.Event)


def lane_here(app: App) -> TurnThread:
    """Return a lane without a worker: turns are resolved in this process."""
    guard = Supervisor(app.tally)
    return TurnThread(guard, partial(carry_here, guard, app.store, app.site))


def lanes_with_worker(app: App, terms: WorkerConfig) -> Sequence[TurnThread]:
    """Return lanes whose turns are resolved in one process of their own.

    They are two: while the turn of one is resolved the other claims the next game, so that the
    worker need not wait for it.
    """
    guard = Supervisor(app.tally)
    worker = Worker(terms, guard)
    return [TurnThread(guard, worker.carry, worker.stop) for _ in range(2)]


class TurnPool:
    """All lanes of a daemon. *done* is called when turns have been adjudicated."""

    def __init__(
        self,
        turns: TurnQueue,
        lanes: Sequence[TurnThread],
        stopping: threading.Event,
        done: Callable[[], None],
    ) -> None:
        self._turns = turns
        self._lanes = lanes
        self._stopping = stopping
        self._done = done
        self._threads = [
            threading.Thread(target=self._run, args=(lane,), name=f"lane{number}", daemon=True)
            for number, lane in enumerate(lanes, 1)
        ]

    @property
    def silence(self) -> float:
        """How many seconds ago the lane that hangs longest gave a sign of going on."""
        return max(lane.guard.silence for lane in self._lanes)

    def start(self) -> None:
        """Begin to wait for turns."""
        for thread in self._threads:
            thread.start()

    def go(self, look: DueCutoff | None) -> None:
        """Let the turns that are over be adjudicated, and do not wait for it; None lets them wait.

        Raises StoreError.
        """
        self._turns.find(look)
        for lane in self._lanes:
            lane.wake.set()

    def stop(self, patience_seconds: float) -> bool:
        """Let the turns at hand end, but no longer than that, and return whether they did.

        To be called when the daemon is stopping. What is broken off begins again elsewhere.
        """
        until = time.monotonic() + patience_seconds
        for lane in self._lanes:
            lane.wake.set()
        for thread in self._threads:
            thread.join(max(until - time.monotonic(), 0))
        finished = not any(thread.is_alive() for thread in self._threads)
        for lane in self._lanes:
            lane.end()
        for thread in self._threads:
            thread.join(_PAUSE_SECONDS)
        return finished

    def _run(self, lane: TurnThread) -> None:
        while not self._stopping.is_set():
            lane.wake.wait(_PAUSE_SECONDS)
            lane.wake.clear()
            lane.guard.step("adjudicate", partial(self._take, lane), now())
        lane.guard.attempt(self._turns.give_back, step="give back")

    def _take(self, lane: TurnThread) -> None:
        if self._turns.take(lane.guard, lane.carry):
            self._done()
