"""Worker: a process next to the daemon that adjudicates claimed turns and makes owed letters."""

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

from referee.app import Rulesets, build_site
from referee.daemon import logs
from referee.daemon.logs import line
from referee.daemon.supervisor import Supervisor, new_reference
from referee.daemon.turn_queue import Ending, TurnRun, carry_here
from referee.desk.due.adjudication import Claim
from referee.desk.due.owed_letters import Owed
from referee.opening import open_store
from referee.settings import Settings

log = logging.getLogger(__name__)

LONGEST_SECONDS: Final = 300.0
"""A turn that takes longer hangs: its worker is killed and the game stalls."""
_LOOK_SECONDS: Final = 0.5
_TRIES: Final = 2
NICE: Final = 10


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """The start arguments of a worker; *rulesets* loads them there, because code is not sent."""

    settings: Settings
    rulesets: Callable[[], Rulesets]
    log_level: str


class Worker:
    """A process that starts with the first turn, and again after it died.

    Only the number and fencing token of a claimed game are sent to it. It reads the rest from the
    database, resolves the turn, commits it if the token is unchanged, and sends the result. If it
    dies, nothing has happened.
    """

    def __init__(self, config: WorkerConfig, guard: Supervisor) -> None:
        self._config = config
        self._guard = guard
        self._stopped = threading.Event()
        self._at_work = threading.Lock()
        self._child: BaseProcess | None = None
        self._channel: Connection | None = None

    def carry(self, claim: Claim | Owed, now: datetime) -> TurnRun:
        """Adjudicate a claimed game in the worker; if it dies, try again once.

        Waits while the worker is busy.
        """
        with self._at_work:
            for _ in range(_TRIES):
                if self._stopped.is_set():
                    break
                try:
                    return self._carry(claim, now)
                except (EOFError, OSError):
                    self._end()
            if self._stopped.is_set():
                return TurnRun(Ending.STOPPED)
            return self._broken(claim, "worker died twice in a turn")

    def stop(self) -> None:
        """Kill the process permanently; uncommitted work is lost."""
        self._stopped.set()
        child = self._child
        if child is not None:
            child.kill()

    def _carry(self, claim: Claim | Owed, now: datetime) -> TurnRun:
        """Return how the turn ended. Raises EOFError or OSError if the worker has died."""
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
        return self._broken(claim, "turn timed out, worker killed")

    def _start(self) -> Connection:
        context = get_context("spawn")
        self._channel, theirs = context.Pipe()
        self._child = context.Process(
            target=serve, args=(theirs, self._config), name="referee-worker", daemon=True
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

    def _broken(self, claim: Claim | Owed, what: str) -> TurnRun:
        reference = new_reference()
        log.error("%s", line(what, reference=reference, game=claim.game))
        self._guard.count()
        return TurnRun(Ending.BROKEN, reference)


def serve(channel: Connection, config: WorkerConfig) -> None:
    """Adjudicate every game that is requested, until the daemon closes the pipe or dies."""
    for number in (signal.SIGTERM, signal.SIGINT):
        # Both signals are for the daemon, which lets the current turn finish.
        signal.signal(number, signal.SIG_IGN)
    # Reading letters has priority over resolving turns, if the system allows it.
    with suppress(OSError):
        os.nice(NICE)
    threading.Thread(target=_exit_with_daemon, daemon=True).start()
    logs.begin(config.log_level)
    guard = Supervisor()
    store = open_store(config.settings)
    site = build_site(config.settings, store, config.rulesets())
    # The objects so far are permanent; collecting them took a quarter of each turn.
    gc.freeze()
    try:
        while True:
            claim, now = channel.recv()
            channel.send(carry_here(guard, store, site, claim, now))
    except (EOFError, OSError):
        return
    finally:
        store.close()


def _exit_with_daemon() -> None:
    # A hung turn never polls the channel, so a thread does.
    if (daemon := parent_process()) is not None:
        daemon.join()
        os._exit(1)
