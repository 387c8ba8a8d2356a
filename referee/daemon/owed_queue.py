"""Owed letters that are due: taken by turn threads, between two turns."""

import logging
from collections import deque
from contextlib import suppress
from datetime import datetime
from functools import partial
from threading import Event

from referee.app import App
from referee.daemon.logs import line
from referee.daemon.supervisor import Supervisor
from referee.daemon.turn_queue import Carry, Ending
from referee.desk.base.desk import Desk
from referee.desk.base.faults import Part
from referee.desk.due import owed_letters, stalled_turns
from referee.desk.due.owed_letters import Owed

log = logging.getLogger(__name__)


class OwedQueue:
    """The owed letters that wait for this daemon; several threads can take them at once."""

    def __init__(self, app: App, stopping: Event) -> None:
        self._app, self._stopping = app, stopping
        self._waiting: deque[tuple[Owed, datetime]] = deque()

    def find(self, now: datetime) -> None:
        """Replace the letters that wait by those that are due now."""
        self._waiting = deque((owed, now) for owed in owed_letters.due(self._app.store, now))

    def take(self, guard: Supervisor, carry: Carry) -> int:
        """Make the first letter that waits, and return how many were made. Raises StoreError."""
        with suppress(IndexError):
            while not self._stopping.is_set():
                owed, now = self._waiting.popleft()
                if owed_letters.claim(self._app.store, owed, now):
                    return self._finish(guard, owed, carry, now)
        return 0

    def _finish(self, guard: Supervisor, owed: Owed, carry: Carry, now: datetime) -> int:
        run = carry(owed, now)
        if run.ending is Ending.DONE:
            log.info("%s", line("letter made", game=owed.game, seconds=f"{run.seconds:.2f}"))
            return 1
        if run.ending is Ending.BROKEN and owed.game is not None:
            notify = partial(self._notify, owed.game, run.reference, now)
            guard.attempt(notify, game=owed.game)
        return 0

    def _notify(self, game: int, reference: str, now: datetime) -> None:
        with self._app.store.write() as session:
            desk = Desk(session, self._app.site, now)
            stalled_turns.report_failed_step(desk, game, reference, step=Part.OWED.title)
