"""The daemon as a running service: its threads, its signals, its watchdog."""

import gc
import logging
import signal
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Final

from referee.app import App, Rulesets
from referee.clock import Ticker, now
from referee.daemon import logs, sd_notify
from referee.daemon.logs import line
from referee.daemon.loop import Daemon
from referee.daemon.metrics import metrics_of
from referee.daemon.metrics_server import MetricsPage
from referee.daemon.supervisor import Supervisor
from referee.daemon.turn_pool import TurnThread, lane_here, lanes_with_worker, workers_here
from referee.daemon.worker import WorkerConfig
from referee.plugins import installed_rulesets

log = logging.getLogger(__name__)

PATIENCE_SECONDS: Final = 7.0
"""How long the letters and turns at hand may take to end when the service stops.

Whoever told it to stop is promised ten seconds, and ending workers and threads takes some.
"""
_PAUSE_SECONDS: Final = 1.0
_LONG_WORK_SECONDS: Final = 300.0
"""One letter or turn that takes longer than this is no sign of life any more."""
_FIRST_LOOK_SECONDS: Final = 20.0
"""How long the first step waits for mailboxes, whose server may be silent."""


class Service:
    """Runs a daemon until it is told to stop.

    One thread ticks, one sends, one reads each mailbox, each lane has one in which turns are
    adjudicated, and the receiver has its own; this one waits for signals. Losing any of them loses
    nothing, since every letter and turn is a row.
    """

    def __init__(
        self, daemon: Daemon, rulesets: Callable[[], Rulesets] = installed_rulesets
    ) -> None:
        self.daemon = daemon
        self._app: App = daemon.app
        self._is_told_to_stop = False
        self._is_at_work = False
        self._keeper = Supervisor()
        self._stopping = daemon.stopping
        self._to_send = threading.Event()
        self._begun = time.monotonic()
        self._ticker = Ticker(self._step, lambda: daemon.next_due(now()))
        self._page: MetricsPage | None = None
        self._lanes = daemon.open_lanes(self._new_lanes(rulesets), self._to_send.set)
        self._threads = [
            threading.Thread(target=self._send, name="sender", daemon=True),
            *(
                threading.Thread(target=self._watch, args=(name,), name=name, daemon=True)
                for name in self._app.mailboxes
            ),
        ]

    def start(self) -> None:
        """Begin all the work. Raises ResourceError when a port is taken."""
        # What is here now stays: it need not be looked through for garbage again and again.
        gc.freeze()
        if (metrics := self._app.settings.metrics) is not None:
            self._page = MetricsPage(metrics.port, lambda: metrics_of(self.daemon, now()))
        self._keeper.attempt(
            lambda: self.daemon.sources.awaiting.begin(now()), step="begin to take in"
        )
        self._app.open_receiver()
        self.daemon.take_over()
        self._lanes.start()
        self._ticker.start()
        for thread in self._threads:
            thread.start()

    def run(self) -> bool:
        """Work until SIGTERM or SIGINT, and return whether everything at hand was finished.

        Must be called in the main thread. Raises ResourceError when a port is taken.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        self.start()
        sd_notify.tell("READY=1")
        log.info("%s", line("the referee is ready"))
        self._wait()
        sd_notify.tell("STOPPING=1")
        finished = self.stop()
        log.info("%s", line("the referee has stopped", finished=finished))
        return finished

    def stop(self) -> bool:
        """Take nothing new and finish what is at hand, and return whether it was finished in
        time."""
        until = time.monotonic() + PATIENCE_SECONDS
        self._stopping.set()
        self._to_send.set()
        if self._page is not None:
            self._page.close()
        finished = self._app.receiver is None or self._app.receiver.stop(PATIENCE_SECONDS)
        finished = self._ticker.stop(max(until - time.monotonic(), 0.1)) and finished
        finished = self._lanes.stop(max(until - time.monotonic(), 0.1)) and finished
        for thread in self._threads:
            thread.join(max(until - time.monotonic(), 0.1))
            finished = finished and not thread.is_alive()
        self._keeper.attempt(self.daemon.sources.awaiting.end, step="end taking in")
        return finished

    def _new_lanes(self, rulesets: Callable[[], Rulesets]) -> Sequence[TurnThread]:
        settings = self._app.settings
        workers = workers_here(settings.adjudication.workers)
        if not workers:
            return [lane_here(self._app)]
        terms = WorkerConfig(settings, rulesets, logs.level())
        return [lane for _ in range(workers) for lane in lanes_with_worker(self._app, terms)]

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        # An event would not do: this interrupts the main thread, which may just hold its lock.
        self._is_told_to_stop = True

    def attend(self) -> None:
        """Wait a moment for letters that the receiver has stored, and let them be read at once.

        Meanwhile see to it that steps are taken, whatever becomes of the clock.
        """
        if self._app.bell.wait(_PAUSE_SECONDS):
            self._app.bell.clear()
            self._ticker.wake()
        self._ticker.keep()
        self._keep_alive()

    def _wait(self) -> None:
        """Attend until the signal comes."""
        limit = sd_notify.watchdog_seconds()
        while not self._is_told_to_stop:
            self.attend()
            if limit is not None and self.daemon.silence < limit:
                sd_notify.tell("WATCHDOG=1")

    def _keep_alive(self) -> None:
        # A step that takes long, because many turns are due, is work and no outage.
        if self.daemon.guard.silence < _LONG_WORK_SECONDS:
            self._keeper.step("tell", lambda: self.daemon.sources.awaiting.tell(now()), now())
            if self._is_at_work:
                self._keeper.attempt(lambda: self.daemon.heartbeat.beat(now()), step="keep alive")

    def _step(self) -> None:
        # What came while we were away is in time for a deadline that passed meanwhile.
        if self._have_looked():
            self.daemon.step(now())
            self._is_at_work = True
            self._to_send.set()

    def _have_looked(self) -> bool:
        if time.monotonic() - self._begun > _FIRST_LOOK_SECONDS:
            return True
        return all(box.has_looked for box in self._app.mailboxes.values())

    def _send(self) -> None:
        while not self._stopping.is_set():
            self._to_send.wait(_PAUSE_SECONDS)
            self._to_send.clear()
            self.daemon.send(now())

    def _watch(self, name: str) -> None:
        while not self._stopping.is_set():
            self.daemon.sources.watch(name, self._stopping, now)
            self._stopping.wait(_PAUSE_SECONDS)
