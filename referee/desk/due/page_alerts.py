"""Alerts about the pages that everyone can read."""

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, post
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import OperatorAlert


def report_failed_pages(desk: Desk, reference: str) -> None:
    """Notify the operator that pages cannot be written."""
    if not desk.site.operator:
        return
    what = (
        "Some of the web pages cannot be written, so they may be out of date. All games go on. It "
        "is tried again every 10 minutes."
    )
    to_do = (
        f"Run `referee doctor pages`, which says what to fix. If it finds nothing, find reference "
        f"{reference} in the log."
    )
    alert = OperatorAlert("web pages cannot be written", what, reference, to_do)
    post(desk, alert, Addressing(MailAddress("", desk.site.operator), f"pages{reference}"))
