"""Mail sources: Maildirs and mailboxes, and the intake watermark."""

import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from referee.app import App
from referee.daemon.supervisor import Supervisor
from referee.domain.outages import SourceStatus
from referee.errors import StoreError
from referee.mail.imap import SETTLING, ImapMailbox
from referee.store import Store, moments
from referee.store.mail import mailboxes
from referee.store.moments import BY_LETTERS

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


_INSTANT: Final = timedelta(microseconds=1)


class WatermarkTracker:
    """Publishes the watermark of a daemon's receiver and Maildirs, and reads the others'.

    On an SQLite file, no other daemon reads it.
    """

    def __init__(self, app: App, owner: str) -> None:
        self._app, self._owner = app, owner
        is_shared = app.store.kind == "postgresql"
        self._is_asked = is_shared and (app.receiver is not None or bool(app.maildirs))
        if self._is_asked:
            app.taking.owner = owner
        self._read: dict[str, datetime] = {}
        self._others: datetime | None = None

    @property
    def watermark(self) -> datetime | None:
        """Return up to when mail is known to be stored, or None if none is in progress."""
        moments = [moment for moment in (self._others, self._received()) if moment is not None]
        return min(moments, default=None)

    def begin(self, now: datetime) -> None:
        """Publish the first watermark. Raises StoreError; ``tell`` then retries it."""
        self._read = {name: self._read.get(name, now) for name in self._app.maildirs}
        self.tell(now)

    def was_read(self, maildir: str, now: datetime) -> None:
        """Record that everything in a Maildir at *now* was taken."""
        self._read[maildir] = now

    def tell(self, now: datetime) -> None:
        """Publish the watermark of this daemon. Raises StoreError."""
        if self._is_asked:
            longest = self._app.site.patience.longest
            # An unreadable Maildir does not hold up the watermark forever.
            read = [moment for moment in self._read.values() if now - moment <= longest]
            self._app.taking.tell(min([now, self._received() or now, *read]))

    def compare(self, now: datetime) -> None:
        """Publish the watermark of this daemon, and read the others'. Raises StoreError."""
        self.tell(now)
        # A daemon that starts later receives no mail from before now.
        self._others = min(now, self._app.taking.others_until(self._owner, now) or now)

    def end(self) -> None:
        """Withdraw the watermark. Raises StoreError; it then expires with its lease."""
        if self._is_asked:
            self._app.taking.end()

    def _received(self) -> datetime | None:
        receiver = self._app.receiver
        since = None if receiver is None else receiver.arriving_since
        return None if since is None else since - _INSTANT


class Sources:
    """Receives letters as *owner* until *stopping*; *guard* logs every failure."""

    def __init__(self, app: App, owner: str, guard: Supervisor, stopping: threading.Event) -> None:
        self._app, self._owner, self._guard, self._stopping = app, owner, guard, stopping
        self.awaiting = WatermarkTracker(app, owner)
        self._watching = {name: Supervisor(app.tally) for name in app.mailboxes}
        self._elsewhere: set[ImapMailbox] = set()
        """The mailboxes that another daemon reads."""
        self._well: list[ImapMailbox] = []
        """The mailboxes that worked at the last heartbeat."""
        self._maildirs_read: dict[str, bool] = {}

    def look(self, now: datetime) -> None:
        """Receive from the Maildirs, and follow the other daemons' mailboxes. Does not raise."""
        for name in self._app.maildirs:
            taken = self._guard.step(f"take in {name}", partial(self.take_in, name, now), now)
            self._maildirs_read[f"maildir:{name}"] = taken
        self._guard.step("follow mailboxes", partial(self._follow, now), now)
        self._guard.step("compare watermarks", partial(self.awaiting.compare, now), now)

    def have_mail(self) -> bool:
        """Return whether a Maildir has letters that were not tried yet. Does not raise."""
        return any(source.has_mail() for source in self._app.maildirs.values())

    def take_in(self, name: str, now: datetime) -> int:
        """Take all letters out of a Maildir; return their number."""
        source = self._app.maildirs[name]
        count = source.take(self._app.accept_all, lambda: now, self._stopping.is_set)
        self.awaiting.was_read(name, now)
        return count

    def watch(self, name: str, stop: threading.Event, clock: Callable[[], datetime]) -> None:
        """Take letters out of a mailbox until *stop*, in its own thread.

        Returns earlier if another daemon has the mailbox, if it cannot be read, or after an
        unexpected error; the caller then calls it again.
        """
        box = self._app.mailboxes[name]
        lease = MailboxLeaseEvent(self._app.store, box, self._owner, stop, clock)
        work = partial(self._take_letters, box, lease, clock)
        self._watching[name].step(f"watch {name}", work, clock())

    def poll_again(self, now: datetime) -> int:
        """Check the mailboxes not checked since something fell due; return their number."""
        closing = self._next_closing() if self._well else None
        if closing is None or now < closing + SETTLING:
            return 0
        stale = [box for box in self._well if box.watermark is None or box.watermark < closing]
        for box in stale:
            box.look_soon()
        return len(stale)

    def ways(self, now: datetime) -> list[SourceStatus]:
        """Return the mail sources, each with its watermark."""
        boxes = [
            SourceStatus(box.source, box.watermark if box.is_read else None, box.every)
            for box in self._app.mailboxes.values()
        ]
        folders = [
            SourceStatus(source, now if is_read else None)
            for source, is_read in self._maildirs_read.items()
        ]
        return boxes + folders

    def trust(self, alive: Collection[str]) -> None:
        """From now on, wait only for the mailboxes whose source is *alive*."""
        self._well = [box for box in self._app.mailboxes.values() if box.source in alive]

    @property
    def watermark(self) -> datetime | None:
        """Return the watermark of all working mail sources, or None if all mail is stored.

        A working mailbox delays it only until its next check, and the receiver only until it has
        committed a letter.
        """
        moments = (self.awaiting.watermark, *(box.watermark for box in self._well))
        return min((moment for moment in moments if moment is not None), default=None)

    def statuses(self) -> dict[str, str]:
        """Return the failure of each mailbox and Maildir, empty if it works."""
        boxes = {box.source: box.failure for box in self._app.mailboxes.values()}
        return boxes | {box.source: box.failure for box in self._app.maildirs.values()}

    def _take_letters(
        self, box: ImapMailbox, lease: MailboxLeaseEvent, clock: Callable[[], datetime]
    ) -> None:
        if not lease.take():
            self._elsewhere.add(box)
            return
        self._elsewhere.discard(box)
        try:
            box.run(self._app.accept_all, self._app.cursor, lease, clock)
        finally:
            lease.release()

    def _follow(self, now: datetime) -> None:
        """Follow how far other daemons have read their mailboxes."""
        if elsewhere := list(self._elsewhere):
            with self._app.store.read() as session:
                for box in elsewhere:
                    box.follow(mailboxes.read_elsewhere(session, box.source, now))

    def _next_closing(self) -> datetime | None:
        try:
            with self._app.store.read() as session:
                return moments.first(session, BY_LETTERS)
        except StoreError:
            # The steps meet the same failure and log it.
            return None
