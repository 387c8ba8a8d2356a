"""An email to the operator about a database that was lost, past the outbox in it."""

import logging
from datetime import datetime

from referee.app import App
from referee.daemon.logs import line
from referee.desk.base.outbox_writer import Addressing, envelope
from referee.domain.mail_transfer import Delivery, OutgoingMail
from referee.errors import ResourceError, StoreGone
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import OperatorAlert

log = logging.getLogger(__name__)


class LostDatabase:
    """Tells the operator at once that the file of the database is gone, once each time."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._is_told = False

    def report(self, now: datetime) -> None:
        """Send the email if the database is lost, by the thread that sends all others."""
        try:
            self._app.store.check_presence()
        except StoreGone as loss:
            if not self._is_told:
                log.error("%s", line("database lost", words=str(loss)))
                self._send(loss, now)
            self._is_told = True
        else:
            self._is_told = False

    def _send(self, loss: StoreGone, now: datetime) -> None:
        """Send the email. Raises ResourceError if it could not be sent."""
        site, (finding,) = self._app.site, loss.findings
        if not site.operator:
            return
        what = (
            f"The file of the database is gone, or another one is in its place: {finding.place}. "
            "No email is accepted now: mail servers keep what is for the referee, and emails stay "
            "in their mailboxes. No turn is resolved."
        )
        to_do = f"{finding.remedy[:1].upper()}{finding.remedy[1:]}."
        alert = OperatorAlert("the database is gone", what, f"{now:%Y%m%d-%H%M%S}", to_do)
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
