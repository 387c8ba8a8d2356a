"""Reader of the inbox: reads and answers each waiting letter exactly once."""

import logging
import threading
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from referee.app import App
from referee.daemon.claim_owners import ClaimRecovery
from referee.daemon.logs import line
from referee.daemon.supervisor import Failure, Supervisor, new_reference
from referee.daemon.turn_queue import OUTAGES
from referee.desk.base.desk import Desk
from referee.desk.base.identity import Opened
from referee.desk.reception import intake
from referee.errors import ClaimLost, LetterTooCostly
from referee.letters.incoming.authentication import Unanswered
from referee.store import Session
from referee.store.letter_states import Lane
from referee.store.mail import inbox
from referee.store.models import InboxLetter
from referee.tally import Counted

log = logging.getLogger(__name__)

ATTEMPTS: Final = 3
"""A letter that failed this often is quarantined."""
READING_LEASE: Final = timedelta(minutes=1)
RETRY_PAUSE: Final = timedelta(seconds=10)
"""The pause before a failed letter is retried."""
ANSWER_PAUSE: Final = timedelta(seconds=10)
"""The pause of a letter for which a name server was asked, unless the answer comes earlier."""
MAX_TOGETHER: Final = 16
"""The maximum number of letters per transaction, because other writers are waiting."""
ROUND_LETTERS: Final = 64
ROUND_SECONDS: Final = 2.0
"""A round reads so many letters, or for so long; then the other steps of the loop have a turn."""


class InboxReader:
    """Reads letters as *owner* until *stopping*; *guard* logs failures and counts progress."""

    seconds = ROUND_SECONDS

    def __init__(self, app: App, owner: str, guard: Supervisor, stopping: threading.Event) -> None:
        self._app, self._owner, self._guard, self._stopping = app, owner, guard, stopping
        self._claims = ClaimRecovery(app.store, owner, InboxLetter)
        self._parked: dict[int, Unanswered] = {}
        """The questions to name servers that letters wait for, by the number of the letter."""

    def read_waiting(self, now: datetime) -> int:
        """Read the waiting letters until the round is over, and return their number.

        The last letter of a round is a stranger's, so that all are read in the end. If letters may
        be left, the bell rings for the next round.
        """
        self._unpark()
        count, ends = 0, time.monotonic() + self.seconds
        while not self._stopping.is_set() and (rows := self._claim(now, ROUND_LETTERS - 1 - count)):
            count += self._read_claimed(rows, now)
            if count >= ROUND_LETTERS - 1 or time.monotonic() >= ends:
                count += self._read_claimed(self._claim(now, 1, Lane.STRANGERS), now)
                self._app.bell.set()
                break
        return count

    def _claim(self, now: datetime, most: int, first: Lane = Lane.REPLIES) -> Sequence[InboxLetter]:
        """Claim the next letters of a lane and those behind it; on PostgreSQL only one.

        Several letters would lock several games, and daemons could deadlock.
        """
        claim = self._owner, now, READING_LEASE
        with self._claims.sure(), self._app.store.claim() as session:
            if self._app.store.kind == "sqlite":
                return inbox.next_together(session, *claim, min(most, MAX_TOGETHER), first)
            row = inbox.next_waiting(session, *claim, first)
            return [row] if row is not None else []

    def _read_claimed(self, rows: Sequence[InboxLetter], now: datetime) -> int:
        """Read claimed letters, and return their number."""
        if len(rows) <= 1 or not self._guard.try_work(partial(self._read, rows, now)):
            self._read_one_by_one(rows, now)
        return len(rows)

    def _read_one_by_one(self, rows: Sequence[InboxLetter], now: datetime) -> None:
        left = list(rows)
        try:
            while left and not self._stopping.is_set():
                self._read_single(left.pop(0), now)
        finally:
            for row in left:
                self._guard.attempt(partial(self._put_back_untried, row, now), letter=row.id)

    def _read_single(self, row: InboxLetter, now: datetime) -> None:
        if row.attempts > ATTEMPTS:
            # Each attempt ended the whole program, so no error was recorded.
            self._quarantine(row, new_reference(), now)
            return
        failure = self._guard.attempt(partial(self._read, [row], now), letter=row.id)
        if failure is not None:
            self._retry_or_quarantine(row, failure, now)

    def _read(self, rows: Sequence[InboxLetter], now: datetime) -> None:
        """Read letters in one transaction; on a failure, roll all of them back and raise it."""
        with self._app.store.read() as session:
            opened = [(row, self._open(session, row)) for row in rows]
        letters = [letter for _, letter in opened if letter is not None]
        parked = [row for row, letter in opened if letter is None]
        with self._app.store.write() as session:
            for row in parked:
                inbox.put_back(session, row, ANSWER_PAUSE, now).attempts -= 1
            desk = Desk(session, self._app.site, now)
            letters = intake.read_letters(desk, letters)
        self._guard.note_spared(desk.faults)
        for number in desk.unasked:
            log.warning("%s", line("letter not done, nobody could be asked", letter=number))
        for letter in letters:
            self._app.tally.add(Counted.READ)
            log.info("%s", line("letter read", letter=letter.row.id, source=letter.row.source))

    def _open(self, session: Session, row: InboxLetter) -> Opened | None:
        """Open a letter, or park it until the name server has answered."""
        try:
            return intake.open_letter(session, self._app.site, row)
        except Unanswered as question:
            self._parked[row.id] = question
            return None

    def _unpark(self) -> None:
        """End the pause of the parked letters whose name server has answered."""
        ready = [number for number, each in self._parked.items() if each.answered.is_set()]
        if ready:
            with self._app.store.write() as session:
                inbox.end_pause(session, ready)
            for number in ready:
                del self._parked[number]

    def _retry_or_quarantine(self, row: InboxLetter, failure: Failure, now: datetime) -> None:
        """Put a failed letter back, or quarantine it. One that is too costly is not retried.

        A database failure is not the letter's fault; it is raised again, so that the whole step
        waits to be retried.
        """
        if isinstance(failure.error, ClaimLost):
            return
        if isinstance(failure.error, OUTAGES):
            self._guard.attempt(partial(self._put_back_untried, row, now), letter=row.id)
            raise failure.error
        too_costly = isinstance(failure.error, LetterTooCostly)
        if too_costly or row.attempts >= ATTEMPTS:
            self._quarantine(row, failure.reference, now, too_costly=too_costly)
            return
        with self._app.store.write() as session:
            inbox.put_back(session, row, RETRY_PAUSE, now)

    def _quarantine(
        self, row: InboxLetter, reference: str, now: datetime, *, too_costly: bool = False
    ) -> None:
        with self._app.store.write() as session:
            desk = Desk(session, self._app.site, now)
            intake.quarantine(desk, row, reference, too_costly=too_costly)
        log.error("%s", line("letter quarantined", letter=row.id, reference=reference))

    def _put_back_untried(self, row: InboxLetter, now: datetime) -> None:
        """Put a letter back as if it had not been tried."""
        with self._app.store.write() as session:
            inbox.put_back(session, row, timedelta(0), now).attempts -= 1
