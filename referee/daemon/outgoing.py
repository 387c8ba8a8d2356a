"""The sending of what waits in the outbox: each letter recorded before the next one goes."""

import logging
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from referee.app import App
from referee.daemon.guard import Guard
from referee.daemon.logs import line
from referee.desk import returns, sending
from referee.domain.post import Attempt, Delivery
from referee.errors import ClaimLost
from referee.store import outbox
from referee.store.models import OutboxLetter
from referee.tally import Counted

log = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=5)
"""Longer than a batch takes when the mail server hangs over a letter."""
BATCH: Final = 20


@dataclass(frozen=True, slots=True)
class _Gone:
    """An attempt to send under a claim."""

    attempt: Attempt
    fence: int


class Outgoing:
    """Sends as *owner* until *stopping*; one thread does it, and *guard* hears that it goes on.

    What went and could not be written down, because the database was in trouble at that moment,
    is remembered and written down before anything else goes: it does not go twice.
    """

    def __init__(self, app: App, owner: str, guard: Guard, stopping: threading.Event) -> None:
        self._app, self._owner, self._guard, self._stopping = app, owner, guard, stopping
        self._unwritten: list[_Gone] = []

    def send_due(self, now: datetime) -> int:
        """Send the letters that are due, as far as the pace allows; give how many went."""
        self._write_down(now)
        count = 0
        turn = sending.Turn(self._owner, now, LEASE, BATCH)
        while not self._stopping.is_set():
            with self._app.store.write() as session:
                letters = sending.claim_due(session, self._app.house, self._app.pace, turn)
            if not letters:
                break
            count += self._send_batch(letters, now)
        return count

    def _write_down(self, now: datetime) -> None:
        while self._unwritten:
            try:
                self._record(self._unwritten[0], now)
            except ClaimLost:
                # Somebody else has it, after a lease that ran out.
                del self._unwritten[0]

    def _send_batch(self, letters: Sequence[OutboxLetter], now: datetime) -> int:
        """Send claimed letters, each recorded before the next goes; give how many went.

        When the referee stops meanwhile, the rest is left to whoever comes next.
        """
        rest = {letter.id: letter for letter in letters}
        attempts = self._app.sender.send([outbox.dispatch(letter) for letter in letters])
        with closing(attempts):
            for attempt in attempts:
                self._guard.touch()
                gone = _Gone(attempt, rest.pop(attempt.dispatch.number).fence)
                if attempt.delivery is Delivery.SENT:
                    self._unwritten.append(gone)
                self._record(gone, now)
                if self._stopping.is_set():
                    break
        if rest:
            with self._app.store.write() as session:
                for letter in rest.values():
                    outbox.put_back(session, letter)
        return len(letters) - len(rest)

    def _record(self, gone: _Gone, now: datetime) -> None:
        attempt = gone.attempt
        with self._app.store.write() as session:
            letter = outbox.record(session, attempt, gone.fence, now)
            number, kind, game, turn = letter.id, letter.kind, letter.game_id, letter.turn
            if attempt.delivery is Delivery.REJECTED:
                returns.take_rejection(session, self._app.house, letter, now)
        if gone in self._unwritten:
            self._unwritten.remove(gone)
        delivery = attempt.delivery
        self._app.tally.add(Counted.TRIED, delivery.value)
        note = line(
            f"a letter was {delivery.value}", outgoing=number, kind=kind, game=game, turn=turn
        )
        log.log(logging.INFO if delivery is Delivery.SENT else logging.WARNING, "%s", note)
