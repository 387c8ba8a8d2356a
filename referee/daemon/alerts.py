"""Alerts: whoever has to know is told of a way in, a database or a turn in trouble for long."""

import logging
from datetime import datetime

from referee.app import App
from referee.daemon.heartbeat import Heartbeat
from referee.daemon.logs import line
from referee.daemon.source_health import SourceHealth
from referee.daemon.sources import Sources
from referee.desk.base.desk import Desk
from referee.desk.due import source_alerts

log = logging.getLogger(__name__)


class Alerts:
    """Tells the operator and GMs of the troubles of *sources* and of the *heartbeat*, once each."""

    def __init__(self, app: App, sources: Sources, heartbeat: Heartbeat) -> None:
        self._app, self._sources, self._heartbeat = app, sources, heartbeat
        self._troubles = SourceHealth()
        self._waiting: frozenset[int] = frozenset()
        """The games that wait for a way in that cannot be read, of which their GMs know."""
        self._silent_since: datetime | None = None
        """Since when the database takes no sign of life; None while it does and all is told."""

    def note_silence(self, now: datetime) -> None:
        """Note that the database takes no sign of life now."""
        self._silent_since = self._silent_since or now

    def tell(self, now: datetime) -> int:
        """Tell the operator of ways in that have been in trouble for long; return how many.

        Of the database he is told when it can be written again. GMs are told whose turns wait.
        """
        self._tell_of_silence(now)
        self._tell_of_waits(now)
        words = {source: words for source, words in self._sources.statuses().items() if words}
        lasting = self._troubles.lasting(words, now, self._app.site.patience.gap)
        for barred in lasting:
            with self._app.store.write() as session:
                told = source_alerts.tell_of_bar(Desk(session, self._app.site, now), barred)
            self._troubles.was_told(barred)
            note = line("a way in is barred", source=told.source, reference=told.reference)
            log.error("%s", note)
        return len(lasting)

    def _tell_of_silence(self, now: datetime) -> None:
        since = self._silent_since
        if since is None or self._heartbeat.is_doubtful:
            return
        if now - since > self._app.site.patience.gap:
            with self._app.store.write() as session:
                source_alerts.tell_of_silence(Desk(session, self._app.site, now), since)
        self._silent_since = None

    def _tell_of_waits(self, now: datetime) -> None:
        site, watch = self._app.site, self._heartbeat.watch
        waiting: list[int] = []
        if watch.read_until is not None and not watch.is_doubtful:
            with self._app.store.read() as session:
                waiting = source_alerts.waiting(Desk(session, site, now), watch.read_until)
        for number in waiting:
            if number not in self._waiting:
                with self._app.store.write() as session:
                    source_alerts.tell_of_wait(Desk(session, site, now), number)
        self._waiting = frozenset(waiting)
