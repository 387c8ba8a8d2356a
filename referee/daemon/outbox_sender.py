"""The sending of what waits in the outbox: each letter recorded before the next one goes."""

import logging
import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from referee.app import App
from referee.daemon.claim_recovery import ClaimRecovery
from referee.daemon.logs import line
from referee.daemon.supervisor import Supervisor
from referee.desk.base.desk import Desk
from referee.desk.due import send_limits
from referee.desk.reception import bounces
from referee.domain.mail_transfer import Attempt, Delivery
from referee.errors import ClaimLost
from referee.store.mail import outbox
from referee.store.models import OutboxLetter
from referee.tally import Counted

log = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=5)
"""Twice as long as a batch may take, so that the mail server may hang over its last letter."""
BATCH: Final = 50


@dataclass(frozen=True, slots=True)
class _Gone:
    """An attempt to send under a claim."""

    attempt: Attempt
    letter: OutboxLetter
    """As it was claimed."""


class OutboxSender:
    """Sends as *owner* until *stopping*; one thread does it, and *guard* hears that it goes on.

    What went and could not be written down, because the database was in trouble at that moment,
    is remembered and written down before anything else goes: it does not go twice. Likewise what
    was claimed and not tried is given back then.
    """

    def __init__(self, app: App, owner: str, guard: Supervisor, stopping: threading.Event) -> None:
        self._app, self._owner, self._guard, self._stopping = app, owner, guard, stopping
        self._claims = ClaimRecovery(app.store, owner, OutboxLetter)
        self._measures = send_limits.SendQuota()
        self._unwritten: list[_Gone] = []
        self._untried: list[OutboxLetter] = []

    def send_due(self, now: datetime) -> int:
        """Send the letters that are due, as far as the pace allows, and return how many went.

        While it lasts time goes on from *now*: an answer that falls due meanwhile goes first.
        """
        self._write_down(now)
        self._put_back()
        begun, count = time.monotonic(), 0
        while not self._stopping.is_set():
            moment = now + timedelta(seconds=int(time.monotonic() - begun))
            turn = send_limits.SendSlot(self._owner, moment, LEASE, BATCH, self._measures)
            with self._claims.sure(), self._app.store.write() as session:
                letters = send_limits.claim_due(session, self._app.site, self._app.pace, turn)
            if not letters:
                break
            count += self._send_batch(letters, moment)
        return count

    def _write_down(self, now: datetime) -> None:
        while self._unwritten:
            try:
                self._record(self._unwritten[0], now)
            except ClaimLost:
                # Somebody else has it, after a lease that ran out.
                del self._unwritten[0]

    def _send_batch(self, letters: Sequence[OutboxLetter], now: datetime) -> int:
        """Send claimed letters, each recorded before the next goes, and return how many went.

        When the referee stops meanwhile, or half the lease is over, the rest is left to whoever
        comes next.
        """
        until = time.monotonic() + LEASE.total_seconds() / 2
        rest = {letter.id: letter for letter in letters}
        attempts = self._app.sender.send([outbox.dispatch(letter) for letter in letters])
        try:
            with closing(attempts):
                for attempt in attempts:
                    self._guard.touch()
                    gone = _Gone(attempt, rest.pop(attempt.dispatch.number))
                    if attempt.delivery is Delivery.SENT:
                        self._unwritten.append(gone)
                    self._record(gone, now)
                    if self._stopping.is_set() or time.monotonic() > until:
                        break
        finally:
            self._untried += rest.values()
        self._put_back()
        return len(letters) - len(rest)

    def _put_back(self) -> None:
        while self._untried:
            with self._app.store.claim() as session, suppress(ClaimLost):
                outbox.put_back(session, self._untried[-1])
            self._untried.pop()

    def _record(self, gone: _Gone, now: datetime) -> None:
        attempt, number, store = gone.attempt, gone.attempt.dispatch.number, self._app.store
        # Not a claim: a letter that went must not go again after a power cut.
        is_gone = attempt.delivery is Delivery.SENT
        with store.statement() if is_gone else store.write() as session:
            outbox.record(session, attempt, gone.letter.fence, now)
            if attempt.delivery is Delivery.REJECTED:
                letter = session.get_one(OutboxLetter, number)
                bounces.take_rejection(Desk(session, self._app.site, now), letter)
        if gone in self._unwritten:
            self._unwritten.remove(gone)
        delivery, letter = attempt.delivery, gone.letter
        self._app.tally.add(Counted.TRIED, delivery.value)
        note = line(
            f"a letter was {delivery.value}",
            outgoing=number,
            kind=letter.kind,
            game=letter.game_id,
            turn=letter.turn,
        )
        log.log(logging.INFO if delivery is Delivery.SENT else logging.WARNING, "%s", note)
