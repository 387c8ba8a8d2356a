"""The reading of what waits in the inbox: read and answered once, whatever happens meanwhile."""

import logging
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from referee.app import App
from referee.daemon.claim_recovery import ClaimRecovery
from referee.daemon.logs import line
from referee.daemon.supervisor import Failure, Supervisor, new_reference
from referee.daemon.turn_queue import OUTAGES
from referee.desk.base.desk import Desk
from referee.desk.reception import intake
from referee.errors import ClaimLost
from referee.store.mail import inbox
from referee.store.models import InboxLetter
from referee.tally import Counted

log = logging.getLogger(__name__)

ATTEMPTS: Final = 3
"""A letter that broke the reader so often goes to quarantine."""
READING_LEASE: Final = timedelta(minutes=1)
AGAIN: Final = timedelta(seconds=10)
"""How long a letter rests that could not be read."""
TOGETHER: Final = 16
"""How many letters are read in one transaction at most, for others wait meanwhile to write."""


class InboxReader:
    """Reads as *owner* until *stopping*; *guard* hears that it goes on, and of every trouble."""

    def __init__(self, app: App, owner: str, guard: Supervisor, stopping: threading.Event) -> None:
        self._app, self._owner, self._guard, self._stopping = app, owner, guard, stopping
        self._claims = ClaimRecovery(app.store, owner, InboxLetter)

    def read_waiting(self, now: datetime) -> int:
        """Read every letter that waits, and return how many there were."""
        count = 0
        while not self._stopping.is_set() and (rows := self._claim(now)):
            count += len(rows)
            if len(rows) == 1 or not self._guard.venture(partial(self._read, rows, now)):
                self._read_one_by_one(rows, now)
        return count

    def _claim(self, now: datetime) -> Sequence[InboxLetter]:
        """Claim what is to be read next: with PostgreSQL one letter.

        Several would hold the locks of several games, and daemons could wait for each other.
        """
        with self._claims.sure(), self._app.store.claim() as session:
            if self._app.store.kind == "sqlite":
                return inbox.next_together(session, self._owner, now, READING_LEASE, TOGETHER)
            row = inbox.next_waiting(session, self._owner, now, READING_LEASE)
            return [row] if row is not None else []

    def _read_one_by_one(self, rows: Sequence[InboxLetter], now: datetime) -> None:
        left = list(rows)
        try:
            while left and not self._stopping.is_set():
                self._read_alone(left.pop(0), now)
        finally:
            for row in left:
                self._guard.attempt(partial(self._excuse, row, now), letter=row.id)

    def _read_alone(self, row: InboxLetter, now: datetime) -> None:
        if row.attempts > ATTEMPTS:
            # Each attempt ended the whole program, so nobody could count what it raised.
            self._give_up(row, new_reference(), now)
            return
        trouble = self._guard.attempt(partial(self._read, [row], now), letter=row.id)
        if trouble is not None:
            self._set_aside(row, trouble, now)

    def _read(self, rows: Sequence[InboxLetter], now: datetime) -> None:
        """Read letters in one transaction: all of them, or none and the trouble is raised."""
        letters = [intake.open_letter(self._app.store, self._app.site, row) for row in rows]
        with self._app.store.write() as session:
            desk = Desk(session, self._app.site, now)
            intake.read_letters(desk, letters)
        for fault in desk.faults:
            known = {"letter": fault.letter, "game": fault.game, "part": fault.part}
            self._guard.note(fault.error, fault.reference, **known)
        for row in rows:
            self._app.tally.add(Counted.READ)
            log.info("%s", line("a letter was read", letter=row.id, source=row.source))

    def _set_aside(self, row: InboxLetter, trouble: Failure, now: datetime) -> None:
        """Let a letter that could not be read wait, or give it up.

        When the trouble was the database's, the letter is not to blame and the step as a whole
        rests: that trouble is raised again.
        """
        if isinstance(trouble.error, ClaimLost):
            return
        if isinstance(trouble.error, OUTAGES):
            self._guard.attempt(partial(self._excuse, row, now), letter=row.id)
            raise trouble.error
        if row.attempts >= ATTEMPTS:
            self._give_up(row, trouble.reference, now)
            return
        with self._app.store.write() as session:
            inbox.put_back(session, row, AGAIN, now)

    def _give_up(self, row: InboxLetter, reference: str, now: datetime) -> None:
        with self._app.store.write() as session:
            intake.quarantine(Desk(session, self._app.site, now), row, reference)
        log.error("%s", line("a letter went to quarantine", letter=row.id, reference=reference))

    def _excuse(self, row: InboxLetter, now: datetime) -> None:
        """Let a letter wait as if it had not been tried."""
        with self._app.store.write() as session:
            inbox.put_back(session, row, timedelta(0), now).attempts -= 1
