"""Heartbeat: a gap in it shows an outage, for which deadlines are then moved."""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from referee.app import App
from referee.daemon.logs import line
from referee.daemon.sources import Sources
from referee.desk.base.desk import Desk
from referee.desk.due import outages
from referee.store.models import LONG_AGO

log = logging.getLogger(__name__)

BEAT: Final = timedelta(seconds=30)
"""The longest interval between heartbeats while all is well."""


class Heartbeat:
    """Writes heartbeats for the daemon and its *sources*, and watches the time of each round.

    Any thread can write a heartbeat; only the thread of the loop begins a round. What the time of a
    round allows is known from the heartbeat of that time, and a clock that jumps in between
    changes nothing in it.
    """

    def __init__(
        self, app: App, sources: Sources, is_synchronised: Callable[[datetime], bool]
    ) -> None:
        self._app, self._sources, self._is_synchronised = app, sources, is_synchronised
        self._beating = threading.Lock()
        self.watch = outages.Watch()
        """The result of the heartbeat of this round."""
        self._last = self.watch
        """The result of the last heartbeat, in any thread."""
        self._alive: frozenset[str] = frozenset()
        """The mail sources in the last heartbeat."""
        self._silent_since: datetime | None = None
        """Since when the database rejects heartbeats; None if it works."""
        self._beaten = LONG_AGO

    def begin_round(self, now: datetime) -> None:
        """Write a heartbeat, move deadlines after an outage, and watch the time of a round."""
        with self._beating:
            self._beat(now)
            self.watch = self._last
            self._sources.trust(self._alive)

    def miss(self, now: datetime) -> None:
        """Begin a round without a heartbeat, because none could be written: no time is trusted."""
        self._silent_since = self._silent_since or now
        self.watch = outages.Watch(is_doubtful=True, settled=LONG_AGO)

    def beat(self, now: datetime) -> None:
        """Write a heartbeat during a long round, in another thread."""
        with self._beating:
            self._beat(now)

    def _beat(self, now: datetime) -> None:
        """Write a heartbeat; a recent one is enough."""
        ways = self._sources.ways(now)
        alive = frozenset(way.source for way in ways if way.watermark is not None)
        lasts = min(BEAT, self._app.site.patience.gap / 4)
        if alive == self._alive and timedelta(0) <= now - self._beaten < lasts:
            return
        with self._app.store.write() as session:
            self._last = outages.beat(
                Desk(session, self._app.site, now),
                ways,
                silent_since=self._silent_since,
                is_synchronised=self._is_synchronised(now),
            )
        if not self._last.is_doubtful:
            self._silent_since = None
        if moved := self._last.moved:
            log.warning("%s", line("deadlines moved after outage", games=moved))
        # During a failure, the next call writes a heartbeat in any case.
        settled = not self._last.is_doubtful and self._last.watermark is None
        self._alive, self._beaten = alive, now if settled else LONG_AGO

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
