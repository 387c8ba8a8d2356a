"""Alerts about long failures of a mail source, the database or a turn."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from referee.app import App
from referee.daemon.heartbeat import Heartbeat
from referee.daemon.logs import line
from referee.daemon.sources import Sources
from referee.desk.base.desk import Desk
from referee.desk.due import failure_alerts
from referee.desk.due.failure_alerts import SourceFailure


class SourceHealth:
    """Remembers since when each mail source fails, until it works again."""

    def __init__(self) -> None:
        self._since: dict[str, datetime] = {}
        self._reported: set[str] = set()

    def lasting(
        self, words: Mapping[str, str], now: datetime, gap: timedelta
    ) -> list[SourceFailure]:
        """Return the failures that have lasted for *gap* and were not reported yet.

        *words* describe the failure of each source that fails now; all others work.
        """
        self._since = {source: self._since.get(source, now) for source in words}
        self._reported &= words.keys()
        return [
            SourceFailure(source, since, words[source])
            for source, since in self._since.items()
            if now - since >= gap and source not in self._reported
        ]

    def mark_reported(self, failure: SourceFailure) -> None:
        """Record that the operator was alerted to a failure."""
        self._reported.add(failure.source)


log = logging.getLogger(__name__)


class Alerts:
    """Alerts the operator and GMs, once each, to failures of *sources* and of the *heartbeat*."""

    def __init__(self, app: App, sources: Sources, heartbeat: Heartbeat) -> None:
        self._app, self._sources, self._heartbeat = app, sources, heartbeat
        self._health = SourceHealth()
        self._waiting: frozenset[int] = frozenset()
        """The games that wait for an unreadable mail source, whose GMs were notified."""
        self._silent_since: datetime | None = None
        """When the database began to reject heartbeats; None if it works and no alert is due."""

    def record_silence(self, now: datetime) -> None:
        """Record that the database rejects heartbeats now."""
        self._silent_since = self._silent_since or now

    def send(self, now: datetime) -> int:
        """Alert the operator to long failures of mail sources; return their number.

        A failure of the database is reported when it can be written again. The GMs of waiting turns
        are notified, too.
        """
        self._send_silence_alert(now)
        self._send_wait_alerts(now)
        words = {source: words for source, words in self._sources.statuses().items() if words}
        lasting = self._health.lasting(words, now, self._app.site.patience.gap)
        for failure in lasting:
            with self._app.store.write() as session:
                reported = failure_alerts.report_failed_source(
                    Desk(session, self._app.site, now), failure
                )
            self._health.mark_reported(failure)
            entry = line(
                "mail source failing", source=reported.source, reference=reported.reference
            )
            log.error("%s", entry)
        return len(lasting)

    def _send_silence_alert(self, now: datetime) -> None:
        since = self._silent_since
        if since is None or self._heartbeat.is_doubtful:
            return
        if now - since > self._app.site.patience.gap:
            with self._app.store.write() as session:
                failure_alerts.report_silence(Desk(session, self._app.site, now), since)
        self._silent_since = None

    def _send_wait_alerts(self, now: datetime) -> None:
        site, watch = self._app.site, self._heartbeat.watch
        waiting: list[int] = []
        if watch.watermark is not None and not watch.is_doubtful:
            with self._app.store.read() as session:
                waiting = failure_alerts.waiting(Desk(session, site, now), watch.watermark)
        for number in waiting:
            if number not in self._waiting:
                with self._app.store.write() as session:
                    failure_alerts.notify_of_wait(Desk(session, site, now), number)
        self._waiting = frozenset(waiting)
