"""Heartbeat: a gap in it shows an outage, for which deadlines are then moved."""

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from referee.app import App
from referee.daemon.logs import line
from referee.daemon.sources import Sources
from referee.desk.base.desk import Desk
from referee.desk.due import outages

log = logging.getLogger(__name__)

BEAT: Final = timedelta(seconds=30)
"""The longest interval between heartbeats while all is well."""


class Heartbeat:
    """Writes heartbeats for the daemon and its *sources*, and keeps the last result."""

    def __init__(
        self, app: App, sources: Sources, is_synchronised: Callable[[datetime], bool]
    ) -> None:
        self._app, self._sources, self._is_synchronised = app, sources, is_synchronised
        self._beating = threading.Lock()
        self.watch = outages.Watch()
        """The result of the last heartbeat."""
        self._alive: frozenset[str] | None = None
        """The mail sources in the last heartbeat; None during any failure."""
        self._silent_since: datetime | None = None
        """Since when the database rejects heartbeats; None if it works."""
        self._beaten = datetime.min.replace(tzinfo=UTC)

    def beat(self, now: datetime) -> None:
        """Write a heartbeat, and move deadlines after an outage.

        A recent heartbeat is enough. Another thread can call this during a long step.
        """
        with self._beating:
            ways = self._sources.ways(now)
            alive = frozenset(way.source for way in ways if way.watermark is not None)
            lasts = min(BEAT, self._app.site.patience.gap / 4)
            if alive == self._alive and timedelta(0) <= now - self._beaten < lasts:
                return
            with self._app.store.write() as session:
                self.watch = outages.beat(
                    Desk(session, self._app.site, now),
                    ways,
                    silent_since=self._silent_since,
                    is_synchronised=self._is_synchronised(now),
                )
            if not self.watch.is_doubtful:
                self._silent_since = None
            if self.watch.moved:
                moved = self.watch.moved
                log.warning("%s", line("deadlines moved after outage", games=moved))
            self._sources.trust(alive)
            # During a failure, the next call writes a heartbeat in any case.
            settled = not self.watch.is_doubtful and self.watch.watermark is None
            self._alive, self._beaten = (alive, now) if settled else (None, now)

    def miss(self, now: datetime) -> None:
        """Record that no heartbeat could be written; until the next one, the clock is in doubt."""
        self._silent_since = self._silent_since or now
        self.watch = outages.Watch(is_doubtful=True)

    @property
    def is_doubtful(self) -> bool:
        """Return whether nothing can be done by the clock."""
        return self.watch.is_doubtful

    @property
    def is_trusted(self) -> bool:
        """Return whether all moments up to now can do what nobody can undo."""
        return not self.is_doubtful and self.watch.settled is None

    @property
    def watermark(self) -> datetime | None:
        """Return the intake watermark: mail received up to then is stored. None if all mail is."""
        moments = (self.watch.watermark, self._sources.watermark)
        return min((moment for moment in moments if moment is not None), default=None)
