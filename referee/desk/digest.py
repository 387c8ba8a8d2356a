"""The operator's digest: once a day, if anything has happened that he should look at."""

from datetime import datetime, timedelta
from typing import Final

from referee.desk.house import House
from referee.desk.posting import Slip, post
from referee.letters.letter import Mailbox
from referee.letters.notices import OperatorDigest
from referee.store import Session, inbox, outbox, people
from referee.store.types import Span

HOUR_OF_DAY: Final = 6
"""In UTC; early enough for the working day of most."""
MOST: Final = 20
"""How many lines of each kind; a list of all is `referee mail list`."""
_DAY: Final = timedelta(days=1)


def send_digest(session: Session, house: House, now: datetime) -> int:
    """Tell the operator what has happened from one morning to the next; give how many letters.

    One a day at most, and none when there is nothing to tell.
    """
    until = now.replace(hour=HOUR_OF_DAY, minute=0, second=0, microsecond=0)
    if not house.operator or now < until:
        return 0
    last = outbox.newest_of(session, OperatorDigest.__name__)
    if last is not None and last >= until:
        return 0
    since = until - _DAY if last is None else last.replace(hour=HOUR_OF_DAY, minute=0, second=0)
    notice = _happened(session, Span(since.replace(microsecond=0), until))
    if not (notice.quarantined or notice.failed or notice.bouncing):
        return 0
    slip = Slip(Mailbox("", house.operator), f"digest{until:%Y%m%d}")
    post(session, house, notice, slip, now)
    return 1


def _happened(session: Session, span: Span) -> OperatorDigest:
    return OperatorDigest(
        quarantined=tuple(
            f"receipt {row.id}: {row.note}" for row in inbox.quarantined_in(session, span, MOST)
        ),
        failed=tuple(
            f"outgoing {row.id}, {row.kind}: {row.error or 'no reason given'}"
            for row in outbox.failed_in(session, span, MOST)
        ),
        bouncing=tuple(
            f"account #{person.account}: {_counted(person.bounces)} came back, the last on "
            f"{person.bounced_at:%Y-%m-%d}"
            for person in people.bounced_in(session, span, MOST)
        ),
    )


def _counted(number: int) -> str:
    return "1 letter" if number == 1 else f"{number} letters"
