"""Sender of the outbox: each result is recorded before the next letter is sent."""

import logging
import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from referee.app import App
from referee.daemon.claim_owners import ClaimRecovery
from referee.daemon.logs import line
from referee.daemon.supervisor import Supervisor
from referee.desk.base.desk import Desk
from referee.desk.due import send_limits
from referee.desk.reception import bounces
from referee.domain.mail_transfer import Attempt, Delivery
from referee.domain.tokens import without_tokens
from referee.errors import ClaimLost
from referee.store.mail import outbox
from referee.store.models import OutboxLetter
from referee.tally import Counted

log = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=5)
"""Twice the time limit of a batch, so that the mail server can hang on its last letter."""
BATCH: Final = 50


@dataclass(frozen=True, slots=True)
class _Attempted:
    """A sending attempt under a claim."""

    attempt: Attempt
    letter: OutboxLetter
    """The letter as it was claimed."""


class OutboxSender:
    """Sends letters as *owner* until *stopping*, in one thread; *guard* counts progress.

    If a sent letter could not be recorded because the database failed, it is remembered and
    recorded before anything else is sent, so that it is not sent twice. Claimed letters that were
    not tried are released then, too.
    """

    def __init__(self, app: App, owner: str, guard: Supervisor, stopping: threading.Event) -> None:
        self._app, self._owner, self._guard, self._stopping = app, owner, guard, stopping
        self._claims = ClaimRecovery(app.store, owner, OutboxLetter)
        self._unrecorded: list[_Attempted] = []
        self._untried: list[OutboxLetter] = []

    def send_due(self, now: datetime) -> int:
        """Send the due letters within the sending limits, and return their number.

        The time advances from *now* during the call, so that a new answer is sent first.
        """
        self._record_pending(now)
        self._put_back()
        begun, count = time.monotonic(), 0
        while not self._stopping.is_set():
            moment = now + timedelta(seconds=int(time.monotonic() - begun))
            turn = send_limits.SendSlot(self._owner, moment, LEASE, BATCH)
            with self._claims.sure(), self._app.store.claim() as session:
                due = send_limits.claim_due(session, self._app.site, self._app.pace, turn)
            tried = self._send_batch(due.letters, moment) if due.letters else []
            count += len(tried)
            # A rejection can add letters: to a second address, or to the GM.
            if not tried or (due.are_all and Delivery.REJECTED not in tried):
                break
        return count

    def _record_pending(self, now: datetime) -> None:
        while self._unrecorded:
            try:
                self._record(self._unrecorded[0], now)
            except ClaimLost:
                # Another daemon has claimed it after the lease ended.
                del self._unrecorded[0]

    def _send_batch(self, letters: Sequence[OutboxLetter], now: datetime) -> list[Delivery]:
        """Send claimed letters, recording each before the next; return how each tried one went.

        When the referee stops, or after half the lease, the remaining letters are released.
        """
        until = time.monotonic() + LEASE.total_seconds() / 2
        deliveries = list[Delivery]()
        rest = {letter.id: letter for letter in letters}
        attempts = self._app.sender.send([outbox.dispatch(letter) for letter in letters])
        try:
            with closing(attempts):
                for attempt in attempts:
                    self._guard.touch()
                    tried = _Attempted(attempt, rest.pop(attempt.dispatch.number))
                    if attempt.delivery is Delivery.SENT:
                        self._unrecorded.append(tried)
                    self._record(tried, now)
                    deliveries.append(attempt.delivery)
                    if self._stopping.is_set() or time.monotonic() > until:
                        break
        finally:
            self._untried += rest.values()
        self._put_back()
        return deliveries

    def _put_back(self) -> None:
        while self._untried:
            with self._app.store.claim() as session, suppress(ClaimLost):
                outbox.put_back(session, self._untried[-1])
            self._untried.pop()

    def _record(self, tried: _Attempted, now: datetime) -> None:
        attempt, number, store = tried.attempt, tried.attempt.dispatch.number, self._app.store
        # Commit durably: after a power failure, a sent letter must not be sent again.
        is_sent = attempt.delivery is Delivery.SENT
        with store.statement() if is_sent else store.write() as session:
            outbox.record(session, attempt, tried.letter.fence, now)
            if attempt.delivery is Delivery.REJECTED:
                letter = session.get_one(OutboxLetter, number)
                bounces.take_rejection(Desk(session, self._app.site, now), letter)
        if tried in self._unrecorded:
            self._unrecorded.remove(tried)
        delivery, letter = attempt.delivery, tried.letter
        self._app.tally.add(Counted.TRIED, delivery.value)
        entry = line(
            f"letter {delivery.value}",
            outgoing=number,
            kind=letter.kind,
            game=letter.game_id,
            turn=letter.turn,
            reason=without_tokens(attempt.reason) or None,
        )
        log.log(logging.INFO if delivery is Delivery.SENT else logging.WARNING, "%s", entry)
