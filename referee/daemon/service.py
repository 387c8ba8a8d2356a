"""The daemon as a service: threads, signals and watchdog."""

import gc
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Final

from referee.app import App, Rulesets
from referee.clock import now
from referee.daemon import logs
from referee.daemon.logs import line
from referee.daemon.loop import Daemon
from referee.daemon.metrics import MetricsPage, metrics_of
from referee.daemon.supervisor import Supervisor
from referee.daemon.turn_pool import (
    TurnThread,
    local_turn_thread,
    worker_turn_threads,
    workers_here,
)
from referee.daemon.worker import WorkerConfig
from referee.plugins import installed_rulesets
from referee.state_dir import SECRET, put_back
from referee.ticker import SECONDS, Ticker

_PATIENCE_SECONDS: Final = 0.5


def sd_notify(state: str) -> bool:
    """Send ``READY=1`` or the like to ``$NOTIFY_SOCKET``; return whether it was delivered.

    A service manager that does not respond is ignored.
    """
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place:
        return False
    # A name that begins with @ is in the abstract namespace, marked by a NUL byte.
    address = "\0" + place[1:] if place.startswith("@") else place
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        # Unread messages fill the queue, and then a send without a timeout would block.
        channel.settimeout(_PATIENCE_SECONDS)
        channel.sendto(state.encode(), address)
        return True
    return False


def _watchdog_seconds() -> float | None:
    """Return after how many idle seconds the service manager restarts us, or None."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1_000_000 if microseconds.isdecimal() else None


log = logging.getLogger(__name__)

PATIENCE_SECONDS: Final = 7.0
"""How long current letters and turns can take to finish when the service stops.

The caller is promised ten seconds, and ending workers and threads takes some of them.
"""
_PAUSE_SECONDS: Final = 1.0
_LONG_WORK_SECONDS: Final = 300.0
"""One letter or turn that takes longer than this no longer counts as progress."""
_FIRST_LOOK_SECONDS: Final = 20.0
"""How long the first step waits for mailboxes, whose server may not respond."""


class Service:
    """Runs a daemon until it is asked to stop.

    One thread ticks, one sends, one posts call-outs, one reads each mailbox, each turn thread
    adjudicates, and the receiver has its own; the main thread waits for signals. A lost thread
    loses no data, because every letter and turn is a row.
    """

    def __init__(
        self, daemon: Daemon, rulesets: Callable[[], Rulesets] = installed_rulesets
    ) -> None:
        self.daemon = daemon
        self._app: App = daemon.app
        self._is_stop_requested = False
        self._is_at_work = False
        self._keeper = Supervisor()
        self._stopping = daemon.stopping
        self._to_send = threading.Event()
        self._begun = time.monotonic()
        self._kept_at = self._begun
        self._ticker = Ticker(self._step, lambda: daemon.next_due(now()))
        self._page = self._metrics_page()
        self._turn_pool = daemon.open_turn_pool(self._new_turn_threads(rulesets), self._to_send.set)
        self._threads = [
            threading.Thread(target=self._send, name="sender", daemon=True),
            *(
                threading.Thread(target=self._call_out, name="call-outs", daemon=True)
                for _ in self._app.settings.hook[:1]
            ),
            *(
                threading.Thread(target=self._watch, args=(name,), name=name, daemon=True)
                for name in self._app.mailboxes
            ),
        ]

    def start(self) -> None:
        """Start all threads. Raises ResourceError if the receiver's port is in use."""
        # The objects created so far are permanent, so exclude them from garbage collection.
        gc.freeze()
        self._keep_page()
        self._keeper.attempt(
            lambda: self.daemon.sources.awaiting.begin(now()), step="begin to take in"
        )
        self._app.open_receiver()
        self.daemon.reclaim_stale_claims()
        self.daemon.keep_local_hours(now())
        self._turn_pool.start()
        self._ticker.start()
        for thread in self._threads:
            thread.start()

    def run(self) -> bool:
        """Work until SIGTERM or SIGINT; return whether all current work was finished.

        Must be called in the main thread. Raises ResourceError if the receiver's port is in use.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        self.start()
        sd_notify("READY=1")
        log.info("%s", line("referee ready"))
        self._wait()
        sd_notify("STOPPING=1")
        unfinished = self.stop()
        names = ", ".join(unfinished) or None
        log.info("%s", line("referee stopped", finished=not unfinished, unfinished=names))
        return not unfinished

    def stop(self) -> list[str]:
        """Stop taking new work and finish the current work; return what took too long to finish."""
        until = time.monotonic() + PATIENCE_SECONDS
        self._stopping.set()
        self._to_send.set()
        if self._page is not None:
            self._page.close()
        receiver = self._app.receiver
        ends = {
            "receiver": receiver.stop if receiver is not None else lambda _patience: True,
            "ticker": self._ticker.stop,
            "turns": self._turn_pool.stop,
            **{thread.name: partial(_has_ended, thread) for thread in self._threads},
        }
        left = [name for name, end in ends.items() if not end(max(until - time.monotonic(), 0.1))]
        self._keeper.attempt(self.daemon.sources.awaiting.end, step="end taking in")
        return left

    def _new_turn_threads(self, rulesets: Callable[[], Rulesets]) -> Sequence[TurnThread]:
        settings = self._app.settings
        workers = workers_here(settings.adjudication.workers)
        if not workers:
            return [local_turn_thread(self._app)]
        config = WorkerConfig(settings, rulesets, logs.level())
        return [thread for _ in range(workers) for thread in worker_turn_threads(self._app, config)]

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        # An Event would not do: the signal can interrupt the main thread while it holds its lock.
        self._is_stop_requested = True

    def attend(self) -> None:
        """Wait a moment for letters from a receiver or in a Maildir, and have them read at once.

        Once in that moment, also keeps the ticker running, whatever happens to the clock, and opens
        the metrics page if its port was taken.
        """
        rings = self._app.bell.wait(_PAUSE_SECONDS)
        if rings or self.daemon.sources.have_mail():
            self._app.bell.clear()
            self._ticker.wake()
        moment = time.monotonic()
        if rings and moment < self._kept_at + _PAUSE_SECONDS:
            return
        self._kept_at = moment
        self._ticker.keep()
        self._keep_page()
        self._keeper.step("keep the secret", self._keep_secret, now())
        self._keep_alive()

    def _wait(self) -> None:
        """Attend until the signal arrives."""
        limit = _watchdog_seconds()
        while not self._is_stop_requested:
            self.attend()
            if limit is not None and self.daemon.silence < limit:
                sd_notify("WATCHDOG=1")

    def _keep_alive(self) -> None:
        # A long step, because many turns are due, is progress and no outage.
        if self.daemon.guard.silence < _LONG_WORK_SECONDS:
            self._keeper.step("tell", lambda: self.daemon.sources.awaiting.tell(now()), now())
            if self._is_at_work:
                self._keeper.step("keep alive", lambda: self.daemon.heartbeat.beat(now()), now())

    def _metrics_page(self) -> MetricsPage | None:
        settings = self._app.settings
        if settings.metrics is None:
            return None
        address = settings.site.address
        return MetricsPage(settings.metrics.port, address, lambda: metrics_of(self.daemon, now()))

    def _keep_page(self) -> None:
        if self._page is not None:
            self._page.keep_open()

    def _keep_secret(self) -> None:
        file = self._app.settings.state_dir / SECRET
        if put_back(file, self._app.site.key):
            entry = line("the secret was deleted, and is written again", file=file)
            log.error("%s", entry)

    def _step(self) -> None:
        # Mail that arrived while the referee was down counts for deadlines in that time.
        if self._are_sources_checked():
            self.daemon.step(now())
            self._is_at_work = True
            self._to_send.set()

    def _are_sources_checked(self) -> bool:
        if time.monotonic() - self._begun > _FIRST_LOOK_SECONDS:
            return True
        return all(box.has_looked for box in self._app.mailboxes.values())

    def _send(self) -> None:
        while not self._stopping.is_set():
            self._to_send.wait(SECONDS)
            self._to_send.clear()
            self.daemon.send(now())

    def _call_out(self) -> None:
        while not self._stopping.wait(_PAUSE_SECONDS):
            self.daemon.call_out(now())

    def _watch(self, name: str) -> None:
        while not self._stopping.is_set():
            self.daemon.sources.watch(name, self._stopping, now)
            self._stopping.wait(_PAUSE_SECONDS)


def _has_ended(thread: threading.Thread, patience_seconds: float) -> bool:
    thread.join(patience_seconds)
    return not thread.is_alive()
