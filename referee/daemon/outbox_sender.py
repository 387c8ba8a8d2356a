"""Sender of letters and call-outs: each result is recorded before the next one is sent."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

from referee.app import App
from referee.daemon.claim_owners import ClaimRecovery
from referee.daemon.logs import line
from referee.daemon.supervisor import Supervisor
from referee.desk.base.desk import Desk
from referee.desk.due import send_limits
from referee.desk.due.send_limits import SendSlot
from referee.desk.reception import bounces
from referee.domain.mail_transfer import Attempt, Delivery, OutgoingMail, Sender
from referee.domain.tokens import without_tokens
from referee.errors import ClaimLost
from referee.store import Session
from referee.store.mail import call_outs, outbox
from referee.store.mail.call_outs import CallOutRow
from referee.store.models import OutboxLetter
from referee.tally import Counted

log = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=5)
"""Twice the time limit of a batch, so that the mail server can hang on its last letter."""
BATCH: Final = 50


R = TypeVar("R", OutboxLetter, CallOutRow)


@dataclass(frozen=True, slots=True)
class Queue(Generic[R]):
    """A table of what waits to be sent: how its rows are claimed, sent, recorded and released."""

    word: str
    counter: Counted | None
    """The counter of its sending attempts, if there is one."""
    rows: type[R]
    transport: Sender
    claim: Callable[[Session, SendSlot], tuple[Sequence[R], bool]]
    """Claims due rows; returns them, and whether no others can be sent now."""
    dispatch: Callable[[R], OutgoingMail]
    record: Callable[[Session, Attempt, int, datetime], None]
    put_back: Callable[[Session, R], object]
    reject: Callable[[Desk, R], object] = lambda _desk, _row: None
    """Does the rest after a permanent failure."""


def letters_of(app: App) -> Queue[OutboxLetter]:
    """Return the queue of letters, within the sending limits."""

    def claim(session: Session, slot: SendSlot) -> tuple[Sequence[OutboxLetter], bool]:
        due = send_limits.claim_due(session, app.site, app.pace, slot)
        return due.letters, due.are_all

    return Queue(
        "letter",
        Counted.TRIED,
        OutboxLetter,
        app.sender,
        claim,
        outbox.dispatch,
        outbox.record,
        outbox.put_back,
        bounces.take_rejection,
    )


def call_outs_of(app: App) -> Queue[CallOutRow]:
    """Return the queue of call-outs."""

    def claim(session: Session, slot: SendSlot) -> tuple[Sequence[CallOutRow], bool]:
        due = call_outs.claim(session, slot.owner, slot.now, slot.lease, slot.most)
        return due, len(due) < slot.most

    return Queue(
        "call-out",
        None,
        CallOutRow,
        app.caller,
        claim,
        call_outs.dispatch,
        call_outs.record,
        call_outs.put_back,
    )


@dataclass(frozen=True, slots=True)
class _Attempted(Generic[R]):
    """A sending attempt under a claim."""

    attempt: Attempt
    letter: R
    """The letter as it was claimed."""


class OutboxSender(Generic[R]):
    """Sends a queue as *owner* until *stopping*, in one thread; *guard* counts progress.

    If a sent letter could not be recorded because the database failed, it is remembered and
    recorded before anything else is sent, so that it is not sent twice. Claimed letters that were
    not tried are released then, too.
    """

    def __init__(
        self, app: App, queue: Queue[R], owner: str, guard: Supervisor, stopping: threading.Event
    ) -> None:
        self._app, self._owner = app, owner
        self._queue: Queue[R] = queue
        self._guard, self._stopping = guard, stopping
        self._claims = ClaimRecovery(app.store, owner, queue.rows)
        self._unrecorded: list[_Attempted[R]] = []
        self._untried: list[R] = []

    def send_due(self, now: datetime) -> int:
        """Send the due letters within the sending limits, and return their number.

        The time advances from *now* during the call, so that a new answer is sent first.
        """
        self._record_pending(now)
        self._put_back()
        begun, count = time.monotonic(), 0
        while not self._stopping.is_set():
            moment = now + timedelta(seconds=int(time.monotonic() - begun))
            turn = SendSlot(self._owner, moment, LEASE, BATCH)
            with self._claims.sure(), self._app.store.claim() as session:
                letters, are_all = self._queue.claim(session, turn)
            tried = self._send_batch(letters, moment) if letters else []
            count += len(tried)
            # A rejection can add letters: to a second address, or to the GM.
            if not tried or (are_all and Delivery.REJECTED not in tried):
                break
        return count

    def _record_pending(self, now: datetime) -> None:
        while self._unrecorded:
            try:
                self._record(self._unrecorded[0], now)
            except ClaimLost:
                # Another daemon has claimed it after the lease ended.
                del self._unrecorded[0]

    def _send_batch(self, letters: Sequence[R], now: datetime) -> list[Delivery]:
        """Send claimed letters, recording each before the next; return how each tried one went.

        When the referee stops, or after half the lease, the remaining letters are released.
        """
        until = time.monotonic() + LEASE.total_seconds() / 2
        deliveries = list[Delivery]()
        rest = {letter.id: letter for letter in letters}
        attempts = self._queue.transport.send([self._queue.dispatch(each) for each in letters])
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
                self._queue.put_back(session, self._untried[-1])
            self._untried.pop()

    def _record(self, tried: _Attempted[R], now: datetime) -> None:
        attempt, number, store = tried.attempt, tried.attempt.dispatch.number, self._app.store
        # Commit durably: after a power failure, a sent letter must not be sent again.
        is_sent = attempt.delivery is Delivery.SENT
        with store.statement() if is_sent else store.write() as session:
            self._queue.record(session, attempt, tried.letter.fence, now)
            if attempt.delivery is Delivery.REJECTED:
                row = session.get_one(self._queue.rows, number)
                self._queue.reject(Desk(session, self._app.site, now), row)
        if tried in self._unrecorded:
            self._unrecorded.remove(tried)
        delivery, letter = attempt.delivery, tried.letter
        if self._queue.counter is not None:
            self._app.tally.add(self._queue.counter, delivery.value)
        entry = line(
            f"{self._queue.word} {delivery.value}",
            outgoing=number,
            kind=letter.kind,
            game=letter.game_id,
            turn=letter.turn,
            reason=without_tokens(attempt.reason) or None,
        )
        log.log(logging.INFO if delivery is Delivery.SENT else logging.WARNING, "%s", entry)
