"""The ways in: Maildirs and mailboxes, and until when all letters are here."""

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
    """Takes letters in as *owner* until *stopping*; *guard* hears of every trouble."""

    def __init__(self, app: App, owner: str, guard: Supervisor, stopping: threading.Event) -> None:
        self._app, self._owner, self._guard, self._stopping = app, owner, guard, stopping
        self.awaiting = WatermarkTracker(app, owner)
        self._watching = {name: Supervisor(app.tally) for name in app.mailboxes}
        self._elsewhere: set[ImapMailbox] = set()
        """The mailboxes that another daemon reads."""
        self._well: list[ImapMailbox] = []
        """The mailboxes that were well at the last sign of life."""
        self._maildirs_read: dict[str, bool] = {}

    def look(self, now: datetime) -> None:
        """Take in what is in the Maildirs, and hear how far others have read. It does not raise."""
        for name in self._app.maildirs:
            taken = self._guard.step(f"take in {name}", partial(self.take_in, name, now), now)
            self._maildirs_read[f"maildir:{name}"] = taken
        self._guard.step("follow mailboxes", partial(self._follow, now), now)
        self._guard.step("compare ways in", partial(self.awaiting.compare, now), now)

    def take_in(self, name: str, now: datetime) -> int:
        """Take the letters out of a Maildir; return how many there were."""
        source = self._app.maildirs[name]
        count = source.take(self._app.accept_all, lambda: now, self._stopping.is_set)
        self.awaiting.was_read(name, now)
        return count

    def watch(self, name: str, stop: threading.Event, clock: Callable[[], datetime]) -> None:
        """Take letters out of a mailbox until *stop*, in a thread of its own.

        Returns earlier when another daemon has the mailbox, when it cannot be read, or when it met
        what it did not foresee; then it is called again.
        """
        box = self._app.mailboxes[name]
        hold = MailboxLeaseEvent(self._app.store, box, self._owner, stop, clock)
        work = partial(self._take_letters, box, hold, clock)
        self._watching[name].step(f"watch {name}", work, clock())

    def look_again(self, now: datetime) -> int:
        """Have the mailboxes looked at that were not since something fell due; return how many."""
        closing = self._next_closing() if self._well else None
        if closing is None or now < closing + SETTLING:
            return 0
        stale = [box for box in self._well if box.read_until is None or box.read_until < closing]
        for box in stale:
            box.look_soon()
        return len(stale)

    def ways(self, now: datetime) -> list[SourceStatus]:
        """Return the ways in, and until when all that came by each is here."""
        boxes = [
            SourceStatus(box.source, box.read_until if box.is_read else None, box.every)
            for box in self._app.mailboxes.values()
        ]
        folders = [
            SourceStatus(source, now if is_read else None)
            for source, is_read in self._maildirs_read.items()
        ]
        return boxes + folders

    def trust(self, alive: Collection[str]) -> None:
        """Wait from now on for those mailboxes alone whose source is *alive*."""
        self._well = [box for box in self._app.mailboxes.values() if box.source in alive]

    @property
    def read_until(self) -> datetime | None:
        """Until when all letters are here, as far as the ways in are well; None when they all are.

        A mailbox that is well holds nothing up for longer than its next look, and the receiver
        nothing for longer than it takes to commit a letter.
        """
        moments = (self.awaiting.kept_until, *(box.read_until for box in self._well))
        return min((moment for moment in moments if moment is not None), default=None)

    def statuses(self) -> dict[str, str]:
        """Return what is the matter with each mailbox and Maildir; no words where all is well."""
        boxes = {box.source: box.trouble for box in self._app.mailboxes.values()}
        closed = "its folder cannot be read, and the log says why"
        folders = {
            source: "" if is_read else closed for source, is_read in self._maildirs_read.items()
        }
        return boxes | folders

    def _take_letters(
        self, box: ImapMailbox, hold: MailboxLeaseEvent, clock: Callable[[], datetime]
    ) -> None:
        if not hold.take():
            self._elsewhere.add(box)
            return
        self._elsewhere.discard(box)
        try:
            box.run(self._app.accept_all, self._app.cursor, hold, clock)
        finally:
            hold.let_go()

    def _follow(self, now: datetime) -> None:
        """See how far other daemons have read the mailboxes that are theirs."""
        if elsewhere := list(self._elsewhere):
            with self._app.store.read() as session:
                for box in elsewhere:
                    box.follow(mailboxes.read_elsewhere(session, box.source, now))

    def _next_closing(self) -> datetime | None:
        try:
            with self._app.store.read() as session:
                return due.next_closing(session)
        except StoreError:
            # The steps meet the same trouble, and tell it.
            return None
