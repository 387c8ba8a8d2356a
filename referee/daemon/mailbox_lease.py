"""Mailbox leases: one daemon at a time reads a mailbox, and another one if it dies."""

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
"""How long after its reader died a mailbox is read by another daemon."""
_RENEW_SECONDS: Final = 3.0
_UPDATE_SECONDS: Final = 1.0
"""The shortest interval between updates of the mailbox's watermark."""


class MailboxLeaseEvent(threading.Event):
    """Stop event of a mailbox reader: set when the lease is lost. Polling it renews the lease.

    *stop* also sets it. If the reader's thread hangs or dies, the lease expires. During a failure
    it is released at once, because another machine may reach the server.
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
        self._is_held = False
        self._renewed_at = 0.0
        self._published: datetime | None = None

    def take(self) -> bool:
        """Return whether the lease is ours now. Raises StoreError."""
        box = self._box
        watermark = box.watermark if box.is_read else None
        with self._store.claim() as session:
            self._is_held = mailboxes.hold(
                session, box.source, self._owner, self._clock(), LEASE, watermark
            )
        self._renewed_at, self._published = time.monotonic(), watermark
        return self._is_held

    def release(self) -> None:
        """Release the lease; if the database fails, it expires."""
        if self._is_held:
            self._is_held = False
            with suppress(StoreError), self._store.claim() as session:
                mailboxes.release(session, self._box.source, self._owner)

    def is_set(self) -> bool:
        """Return whether the reader must stop; renew the lease if not."""
        return self._stop.is_set() or not self._renew()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the daemon to stop; return whether the reader must stop."""
        if self._box.failure and not self._box.is_read:
            self.release()
            return self._stop.wait(timeout)
        return not self._renew() or self._stop.wait(timeout)

    def _renew(self) -> bool:
        age = time.monotonic() - self._renewed_at
        is_update = self._box.is_read and self._box.watermark != self._published
        # After a failure, the lease is renewed unless another daemon has taken it.
        if not self._is_held or age > (_UPDATE_SECONDS if is_update else _RENEW_SECONDS):
            # Without the database, no other daemon can take the lease, and no letter is stored.
            with suppress(StoreError):
                self.take()
        return self._is_held
