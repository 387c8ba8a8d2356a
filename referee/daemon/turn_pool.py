"""Turn threads, which adjudicate turns outside of the loop; two share a worker."""

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from referee.app import App
from referee.clock import now
from referee.daemon.owed_queue import OwedQueue
from referee.daemon.supervisor import Supervisor
from referee.daemon.turn_queue import Carry, TurnQueue, carry_here
from referee.daemon.worker import Worker, WorkerConfig
from referee.desk.due.adjudication import DueCutoff

_PAUSE_SECONDS: Final = 1.0


def workers_here(wanted: int | None) -> int:
    """Return the number of workers: as *wanted*, or one per core if there are several."""
    if wanted is not None:
        return wanted
    cores = len(os.sched_getaffinity(0))
    return cores if cores > 1 else 0


@dataclass(frozen=True, slots=True)
class TurnThread:
    """A thread that takes turns: *carry* adjudicates one, *end* stops it at once."""

    guard: Supervisor
    carry: Carry
    end: Callable[[], object] = bool
    wake: threading.Event = field(default_factory=threading.Event)


def local_turn_thread(app: App) -> TurnThread:
    """Return a turn thread without a worker, which resolves turns in this process."""
    guard = Supervisor(app.tally)
    return TurnThread(guard, partial(carry_here, guard, app.store, app.site))


def worker_turn_threads(app: App, config: WorkerConfig) -> Sequence[TurnThread]:
    """Return turn threads that share one worker process.

    There are two: while the worker resolves one turn, the other thread claims the next game.
    """
    guard = Supervisor(app.tally)
    worker = Worker(config, guard)
    return [TurnThread(guard, worker.carry, worker.stop) for _ in range(2)]


class TurnPool:
    """All turn threads of a daemon. *done* is called after turns were adjudicated."""

    def __init__(
        self,
        turns: TurnQueue,
        owed: OwedQueue,
        turn_threads: Sequence[TurnThread],
        stopping: threading.Event,
        done: Callable[[], None],
    ) -> None:
        self._turns, self._owed = turns, owed
        self._turn_threads = turn_threads
        self._stopping = stopping
        self._done = done
        self._threads = [
            threading.Thread(
                target=self._run, args=(turn_thread,), name=f"turn_thread{number}", daemon=True
            )
            for number, turn_thread in enumerate(turn_threads, 1)
        ]

    @property
    def silence(self) -> float:
        """Return the seconds since the last progress of the slowest turn thread."""
        return max(turn_thread.guard.silence for turn_thread in self._turn_threads)

    def start(self) -> None:
        """Start the threads, which wait for turns."""
        for thread in self._threads:
            thread.start()

    def go(self, cutoff: DueCutoff | None) -> None:
        """Start adjudicating the due turns without waiting; None makes them wait.

        Raises StoreError.
        """
        self._turns.find(cutoff)
        self.wake()

    def wake(self) -> None:
        """Wake the threads, which look for work."""
        for turn_thread in self._turn_threads:
            turn_thread.wake.set()

    def stop(self, patience_seconds: float) -> bool:
        """Wait for current turns up to the time limit; return whether they finished.

        Call it when the daemon is stopping. Interrupted turns are started again elsewhere.
        """
        until = time.monotonic() + patience_seconds
        for turn_thread in self._turn_threads:
            turn_thread.wake.set()
        for thread in self._threads:
            thread.join(max(until - time.monotonic(), 0))
        finished = not any(thread.is_alive() for thread in self._threads)
        for turn_thread in self._turn_threads:
            turn_thread.end()
        for thread in self._threads:
            thread.join(_PAUSE_SECONDS)
        return finished

    def _run(self, turn_thread: TurnThread) -> None:
        while not self._stopping.is_set():
            turn_thread.wake.wait(_PAUSE_SECONDS)
            turn_thread.wake.clear()
            turn_thread.guard.step("adjudicate", partial(self._take, turn_thread), now())
        turn_thread.guard.attempt(self._turns.release_abandoned, step="release claims")

    def _take(self, turn_thread: TurnThread) -> None:
        """Take the due turns, and an owed letter after them, until there are none."""
        given = turn_thread.guard, turn_thread.carry
        while self._turns.take(*given) + self._owed.take(*given):
            self._done()
