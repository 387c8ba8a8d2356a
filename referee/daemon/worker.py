"""A worker: a process beside the daemon that adjudicates one claimed turn after the other."""

import gc
import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final

from referee.app import Rulesets, build_site, open_store
from referee.daemon import logs
from referee.daemon.logs import line
from referee.daemon.supervisor import Supervisor, new_reference
from referee.daemon.turn_queue import Ending, TurnRun, carry_here
from referee.desk.due.adjudication import Claim
from referee.settings import Settings

log = logging.getLogger(__name__)

LONGEST_SECONDS: Final = 300.0
"""A turn that takes longer hangs: its worker is ended and the game set aside."""
_LOOK_SECONDS: Final = 0.5
_TRIES: Final = 2
_NICE: Final = 10


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """What a worker is started with; *rulesets* finds them anew, since code is not sent about."""

    settings: Settings
    rulesets: Callable[[], Rulesets]
    log_level: str


class Worker:
    """A process that is started with the first turn, and anew when it has died.

    Only the number and fence of a claimed game go there, and how it ended comes back: a worker
    reads the rest from the database, resolves the turn, and commits it while the fence still
    stands. Whenever it dies, nothing has happened.
    """

    def __init__(self, terms: WorkerConfig, guard: Supervisor) -> None:
        self._terms = terms
        self._guard = guard
        self._stopped = threading.Event()
        self._at_work = threading.Lock()
        self._child: BaseProcess | None = None
        self._channel: Connection | None = None

    def carry(self, claim: Claim, now: datetime) -> TurnRun:
        """Let the worker adjudicate a claimed game; a second one tries it when the first dies.

        Whoever comes while it is at work waits.
        """
        with self._at_work:
            for _ in range(_TRIES):
                if self._stopped.is_set():
                    break
                try:
                    return self._carried(claim, now)
                except (EOFError, OSError):
                    self._end()
            if self._stopped.is_set():
                return TurnRun(Ending.STOPPED)
            return self._lost(claim, "a worker died twice over a turn")

    def stop(self) -> None:
        """End the process at once, and for good; what it had not committed it has not done."""
        self._stopped.set()
        child = self._child
        if child is not None:
            child.kill()

    def _carried(self, claim: Claim, now: datetime) -> TurnRun:
        """Return how the turn ended. Raises EOFError or OSError when the worker has died over
        it."""
        channel = self._channel or self._start()
        channel.send((claim, now))
        until = time.monotonic() + LONGEST_SECONDS
        while time.monotonic() < until:
            self._guard.touch()
            if channel.poll(_LOOK_SECONDS):
                answer = channel.recv()
                assert isinstance(answer, TurnRun)
                if answer.reference:
                    self._guard.count()
                return answer
        self._end()
        return self._lost(claim, "a turn hung, and its worker was ended")

    def _start(self) -> Connection:
        context = get_context("spawn")
        self._channel, theirs = context.Pipe()
        self._child = context.Process(
            target=serve, args=(theirs, self._terms), name="referee-worker", daemon=True
        )
        self._child.start()
        theirs.close()
        return self._channel

    def _end(self) -> None:
        if self._channel is not None:
            self._channel.close()
        if self._child is not None:
            self._child.kill()
            self._child.join()
        self._channel = self._child = None

    def _lost(self, claim: Claim, what: str) -> TurnRun:
        reference = new_reference()
        log.error("%s", line(what, reference=reference, game=claim.game))
        self._guard.count()
        return TurnRun(Ending.BROKEN, reference)


def serve(channel: Connection, terms: WorkerConfig) -> None:
    """Adjudicate whatever game is asked for, until the daemon hangs up or dies."""
    for number in (signal.SIGTERM, signal.SIGINT):
        # Both are meant for the daemon, which lets the turn at hand end.
        signal.signal(number, signal.SIG_IGN)
    # Letters are read and answered before turns are resolved; where the system does not allow
    # that, a turn is resolved all the same.
    with suppress(OSError):
        os.nice(_NICE)
    threading.Thread(target=_die_with_the_daemon, daemon=True).start()
    logs.begin(terms.log_level)
    guard = Supervisor()
    store, site = open_store(terms.settings), build_site(terms.settings, terms.rulesets())
    # What is here now stays: looking through it for garbage took a quarter of each turn.
    gc.freeze()
    try:
        while True:
            claim, now = channel.recv()
            channel.send(carry_here(guard, store, site, claim, now))
    except (EOFError, OSError):
        return
    finally:
        store.close()


def _die_with_the_daemon() -> None:
    # A hanging turn would never look whether the channel is still open.
    if (daemon := parent_process()) is not None:
        daemon.join()
        os._exit(1)
