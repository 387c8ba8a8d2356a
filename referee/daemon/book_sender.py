"""The books of games that have ended, made and sent a little at a time."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from referee.app import App
from referee.daemon.supervisor import Supervisor
from referee.desk.base.desk import Desk
from referee.desk.due import stalled_turns
from referee.desk.publishing import book
from referee.store.games import agenda
from referee.store.games.agenda import AgendaTopic

STEP = "send books"


@dataclass(slots=True)
class _PendingBooks:
    number: int
    steps: Iterator[None]
    made: int = 0
    """How many parts were made."""
    is_done: bool = False

    def advance(self) -> None:
        """Make the next part; the last one sends the books."""
        self.made += 1
        if next(self.steps, self) is self:
            self.is_done = True


class BookSender:
    """Makes and sends the books of one game after the other, without holding up the loop."""

    def __init__(self, app: App, guard: Supervisor) -> None:
        self._app, self._guard = app, guard
        self._pending: _PendingBooks | None = None
        self.seconds = 0.25
        """The time for books in a round of the loop; the last part can take longer."""

    def run(self, now: datetime) -> None:
        """Go on with the books that are due; a failing game backs off."""
        until = time.monotonic() + self.seconds
        for number in self._due(now):
            pending = self._pending
            if pending is None or pending.number != number:
                steps = book.send_books(self._app.store, self._app.site, number, now)
                pending = self._pending = _PendingBooks(number, steps)
            if not self._advance(pending, until, now):
                return
            self._pending = None

    def _advance(self, pending: _PendingBooks, until: float, now: datetime) -> bool:
        """Go on with the books of a game; return whether they are sent, or have to wait."""
        while not pending.is_done:
            before = pending.made
            failure = self._guard.step_in_game(STEP, pending.number, pending.advance, now)
            if failure is not None:
                self._guard.attempt(partial(self._notify, pending.number, failure.reference, now))
            if failure is not None or pending.made == before:
                # It failed now, or it failed before and still backs off.
                return True
            if time.monotonic() >= until:
                return pending.is_done
        return True

    def _due(self, now: datetime) -> list[int]:
        with self._app.store.read() as session:
            return agenda.due(session, AgendaTopic.BOOK, now)

    def _notify(self, number: int, reference: str, now: datetime) -> None:
        with self._app.store.write() as session:
            desk = Desk(session, self._app.site, now)
            stalled_turns.report_failed_step(desk, number, reference, step=STEP)
