"""The sign of life: by its absence an outage is known, and what passed in it is made good."""

import logging
import threading
from datetime import UTC, datetime, timedelta
from typing import Final

from referee.app import App
from referee.daemon.logs import line
from referee.daemon.sources import Sources
from referee.desk.base.desk import Desk
from referee.desk.due import outages

log = logging.getLogger(__name__)

BEAT: Final = timedelta(seconds=30)
"""How long a sign of life lasts at most, while all is well."""


class Heartbeat:
    """Gives signs of life for the daemon and its *sources*, and knows what the last one told."""

    def __init__(self, app: App, sources: Sources) -> None:
        self._app, self._sources = app, sources
        self._beating = threading.Lock()
        self.watch = outages.Watch()
        """What the last sign of life told."""
        self._alive: frozenset[str] | None = None
        """The ways in that gave the last sign of life; None while something is amiss."""
        self._beaten = datetime.min.replace(tzinfo=UTC)

    def beat(self, now: datetime) -> None:
        """Give a sign of life, and make good for the time in which there was none.

        One of a moment ago will do. May be called by another thread while a step takes long.
        """
        with self._beating:
            ways = self._sources.ways(now)
            alive = frozenset(way.source for way in ways if way.read_until is not None)
            lasts = min(BEAT, self._app.site.patience.gap / 4)
            if alive == self._alive and timedelta(0) <= now - self._beaten < lasts:
                return
            with self._app.store.write() as session:
                self.watch = outages.beat(Desk(session, self._app.site, now), ways)
            if self.watch.moved:
                moved = self.watch.moved
                log.warning("%s", line("deadlines moved after an outage", games=moved))
            self._sources.trust(alive)
            # While something is amiss, the next look is a fresh one.
            settled = not self.watch.is_doubtful and self.watch.read_until is None
            self._alive, self._beaten = (alive, now) if settled else (None, now)

    def miss(self) -> None:
        """Note that no sign of life could be given: until there is one, the clock is in doubt."""
        self.watch = outages.Watch(is_doubtful=True)

    @property
    def is_doubtful(self) -> bool:
        """Whether nothing may be done by the clock."""
        return self.watch.is_doubtful

    @property
    def read_until(self) -> datetime | None:
        """Until when all letters that reached us are here; None when they all are."""
        moments = (self.watch.read_until, self._sources.read_until)
        return min((moment for moment in moments if moment is not None), default=None)
