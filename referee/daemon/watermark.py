"""Awaiting: up to when all letters are kept that reached any referee beside mailboxes."""

from datetime import datetime, timedelta
from typing import Final

from referee.app import App

_INSTANT: Final = timedelta(microseconds=1)


class WatermarkTracker:
    """What a daemon says of its receiver and its Maildirs, and what it hears of those of others.

    On an SQLite file no other daemon asks it.
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
    def kept_until(self) -> datetime | None:
        """Up to when all letters are kept, as far as is known; None when nothing is at hand."""
        moments = [moment for moment in (self._others, self._received()) if moment is not None]
        return min(moments, default=None)

    def begin(self, now: datetime) -> None:
        """Let others wait for this daemon. Raises StoreError; then they do after ``tell``."""
        self._read = {name: self._read.get(name, now) for name in self._app.maildirs}
        self.tell(now)

    def was_read(self, maildir: str, now: datetime) -> None:
        """Note that all is taken that lay in a Maildir at *now*."""
        self._read[maildir] = now

    def tell(self, now: datetime) -> None:
        """Say how far this daemon is. Raises StoreError."""
        if self._is_asked:
            longest = self._app.site.patience.longest
            # Nobody waits for ever for a Maildir that cannot be read.
            read = [moment for moment in self._read.values() if now - moment <= longest]
            self._app.taking.tell(min([now, self._received() or now, *read]))

    def compare(self, now: datetime) -> None:
        """Say how far this daemon is, and hear how far all others are. Raises StoreError."""
        self.tell(now)
        # Who comes later takes no letter that reached him by now.
        self._others = min(now, self._app.taking.others_until(self._owner, now) or now)

    def end(self) -> None:
        """Let nobody wait any more. Raises StoreError; then they do until the lease is over."""
        if self._is_asked:
            self._app.taking.end()

    def _received(self) -> datetime | None:
        receiver = self._app.receiver
        since = None if receiver is None else receiver.arriving_since
        return None if since is None else since - _INSTANT
