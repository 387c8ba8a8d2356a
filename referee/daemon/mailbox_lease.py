"""Holds: a mailbox is read by one daemon at a time, and by another when that one is gone."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from referee.errors import StoreError
from referee.mail.imap import ImapMailbox
from referee.store import Store
from referee.store.mail import mailboxes

LEASE: Final = timedelta(seconds=10)
"""So long after its reader is gone a mailbox is read by somebody else."""
_KEPT_SECONDS: Final = 3.0
_NEWS_SECONDS: Final = 1.0
"""How often it is at most told up to when a mailbox is read."""


class MailboxLeaseEvent(threading.Event):
    """Set once a mailbox is ours no more, or *stop* is set.

    Whoever reads the mailbox asks all the time whether that is so, and with that he keeps it: when
    his thread hangs or dies, the mailbox is anybody's. In trouble he lets it go at once, since
    another machine may reach the server.
    """

    def __init__(
        self,
        store: Store,
        box: ImapMailbox,
        owner: str,
        stop: threading.Event,
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__()
        self._store, self._box, self._owner = store, box, owner
        self._stop, self._clock = stop, clock
        self._is_ours = False
        self._kept = 0.0
        self._told: datetime | None = None

    def take(self) -> bool:
        """Return whether the mailbox is ours now. Raises StoreError."""
        box = self._box
        read_until = box.read_until if box.is_read else None
        with self._store.claim() as session:
            self._is_ours = mailboxes.hold(
                session, box.source, self._owner, self._clock(), LEASE, read_until
            )
        self._kept, self._told = time.monotonic(), read_until
        return self._is_ours

    def let_go(self) -> None:
        """Leave the mailbox to anybody; when the database fails, its lease does so."""
        if self._is_ours:
            self._is_ours = False
            with suppress(StoreError), self._store.claim() as session:
                mailboxes.release(session, self._box.source, self._owner)

    def is_set(self) -> bool:
        """Return whether it is over, and keep the mailbox if it is not."""
        return self._stop.is_set() or not self._keep()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the daemon stops, at most *timeout* seconds, and return whether it is over."""
        if self._box.trouble and not self._box.is_read:
            self.let_go()
            return self._stop.wait(timeout)
        return not self._keep() or self._stop.wait(timeout)

    def _keep(self) -> bool:
        kept = time.monotonic() - self._kept
        is_news = self._box.is_read and self._box.read_until != self._told
        # Who let it go in trouble has it again when nobody else wanted it.
        if not self._is_ours or kept > (_NEWS_SECONDS if is_news else _KEPT_SECONDS):
            # Without the database nobody else can take it either, and no letter can be kept.
            with suppress(StoreError):
                self.take()
        return self._is_ours
