"""Alerts about long failures, and emails past the outbox about a database that cannot be used."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from referee.app import App
from referee.daemon.heartbeat import BEAT, Heartbeat
from referee.daemon.logs import line
from referee.daemon.sources import Sources
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, envelope
from referee.desk.due import failure_alerts
from referee.desk.due.failure_alerts import SourceFailure
from referee.domain.mail_transfer import Delivery, OutgoingMail
from referee.errors import (
    ResourceError,
    StoreDamaged,
    StoreError,
    StoreGone,
    StoreLogGone,
    StoreUnwritable,
)
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import OperatorAlert
from referee.store.letter_states import Lane
from referee.store.mail import inbox
from referee.store.models import LONG_AGO

UNREAD_PATIENCE: Final = timedelta(minutes=5)
"""How long a letter can wait to be read before the operator is alerted."""


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
    """Alerts the operator and GMs, once each, to failures of *sources* and turns that wait."""

    def __init__(self, app: App, sources: Sources, heartbeat: Heartbeat) -> None:
        self._app, self._sources, self._heartbeat = app, sources, heartbeat
        self._health = SourceHealth()
        self._waiting: frozenset[int] = frozenset()
        """The games that wait for an unreadable mail source, whose GMs were notified."""
        self._looked = LONG_AGO
        """When the oldest letters were looked at for the last time."""
        self._late: frozenset[Lane] = frozenset()
        """The lanes whose oldest letter waits for too long, to which the operator was alerted."""

    def send(self, now: datetime) -> int:
        """Alert the operator to long failures of mail sources; return their number.

        The GMs of waiting turns are notified, too. So is the operator of letters that are not read.
        """
        self._send_unread_alerts(now)
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

    def _send_unread_alerts(self, now: datetime) -> None:
        if timedelta(0) <= now - self._looked < BEAT:
            return
        self._looked = now
        with self._app.store.read() as session:
            oldest = inbox.oldest_waiting(session)
        late = {lane: since for lane, since in oldest.items() if now - since > UNREAD_PATIENCE}
        for lane in late.keys() - self._late:
            with self._app.store.write() as session:
                desk = Desk(session, self._app.site, now)
                failure_alerts.report_unread(desk, lane, late[lane])
        self._late = frozenset(late)

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


QUIET: Final = timedelta(hours=1)
"""A failure that was not met for so long is over; the next one is reported again."""
_ALL_WAITS: Final = (
    "No email is accepted now: mail servers keep what is for the referee, and emails stay in their "
    "mailboxes. No turn is resolved."
)


@dataclass(frozen=True, slots=True)
class _Words:
    """The subject of an email, and what goes before and after the error."""

    subject: str
    before: str
    after: str = _ALL_WAITS


_WORDS: Final = {
    StoreGone: _Words(
        "the database is gone",
        "The file of the database is gone, or another one is in its place: ",
    ),
    StoreLogGone: _Words(
        "the log of the database is gone",
        "A part of the database was deleted or replaced, the file with its newest changes: ",
    ),
    StoreDamaged: _Words(
        "the database is damaged",
        "The database is damaged. It reports: ",
        "Whatever reads a damaged part fails and is retried. What else is stored now is lost when "
        "you restore a backup.",
    ),
    StoreUnwritable: _Words(
        "the database cannot be written",
        "The database cannot be written. It reports: ",
        f"{_ALL_WAITS} All goes on when the database can be written again.",
    ),
}


class DatabaseAlerts:
    """Notifies the operator at once that the database is gone, damaged or unwritable.

    There is one email for a failure, however often it is met.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._met_at: dict[type[StoreError], datetime] = {}

    def report(self, now: datetime) -> None:
        """Send an email about a new failure, by the thread that sends all others."""
        failure = self._failure()
        if failure is None:
            return
        before = self._met_at.get(type(failure))
        # The clock can have been ahead then, and be set back again.
        if before is None or abs(now - before) > QUIET:
            (finding,) = failure.findings
            entry = line(
                _WORDS[type(failure)].subject,
                words=finding.what,
                place=finding.place or None,
                to_do=finding.remedy,
            )
            log.error("%s", entry)
            self._send(failure, now)
        self._met_at[type(failure)] = now

    def _failure(self) -> StoreError | None:
        try:
            self._app.store.check_presence()
        except StoreError as failure:
            return failure if type(failure) in _WORDS else None
        return self._app.store.take_failure()

    def _send(self, failure: StoreError, now: datetime) -> None:
        """Send the email. Raises ResourceError if it could not be sent."""
        site, (finding,) = self._app.site, failure.findings
        if not site.operator:
            return
        words = _WORDS[type(failure)]
        what = f"{words.before}{finding.place or finding.what}. {words.after}"
        to_do = f"{finding.remedy[:1].upper()}{finding.remedy[1:]}."
        alert = OperatorAlert(words.subject, what, f"{now:%Y%m%d-%H%M%S}", to_do)
        to = Addressing(MailAddress("", site.operator), f"gone{now:%Y%m%d%H%M%S}")
        dressed = envelope(site, to, now)
        letter = OutgoingMail(
            0,
            dressed.message_id,
            site.address,
            site.operator,
            site.composer.compose(alert, dressed),
        )
        for attempt in self._app.sender.send([letter]):
            if attempt.delivery is not Delivery.SENT:
                raise ResourceError(f"the operator cannot be told: {attempt.reason}")
