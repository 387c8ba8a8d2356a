"""Emails to the operator about a database that cannot be used, past the outbox in it."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from referee.app import App
from referee.daemon.logs import line
from referee.desk.base.outbox_writer import Addressing, envelope
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

log = logging.getLogger(__name__)

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
