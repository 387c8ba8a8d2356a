"""Intake watermark: up to when mail is stored that reached any daemon outside of mailboxes."""

from datetime import datetime, timedelta
from typing import Final

from referee.app import App

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
