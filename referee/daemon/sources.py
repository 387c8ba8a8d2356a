"""Mail sources: Maildirs and mailboxes, and the intake watermark."""

import threading
from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial

from referee.app import App
from referee.daemon.mailbox_lease import MailboxLeaseEvent
from referee.daemon.supervisor import Supervisor
from referee.daemon.watermark import WatermarkTracker
from referee.domain.outages import SourceStatus
from referee.errors import StoreError
from referee.mail.imap import SETTLING, ImapMailbox
from referee.store.games import due
from referee.store.mail import mailboxes


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
        self._paths = {f"maildir:{box.name}": box.path for box in app.settings.maildir}

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
        folders = {
            source: "" if is_read else f"the folder {self._paths[source]} cannot be read"
            for source, is_read in self._maildirs_read.items()
        }
        return boxes | folders

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
                return due.next_closing(session)
        except StoreError:
            # The steps meet the same failure and log it.
            return None
