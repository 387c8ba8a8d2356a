"""Epochs of a site: each restore of a backup begins one, so that nothing is named twice.

What came after the backup is unknown to the restored database, but its receipts and Message-IDs
are in the mail programs of players. A restore is recorded as a row of the inbox that nobody wrote:
its id is the first of the new epoch, and the receipts of every seat continue after it.
"""

from datetime import datetime
from typing import Final

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from referee.store.database.base import is_postgres
from referee.store.letter_states import InboxState
from referee.store.models import InboxLetter

SOURCE: Final = "restore"
_STEP: Final = 10_000


def newest_letter(session: Session) -> int:
    """Return the highest number of a letter so far, or 0. No receipt is higher."""
    return session.scalar(select(func.max(InboxLetter.id))) or 0


def begin(session: Session, used: int, now: datetime) -> int:
    """Begin an epoch and return the number after which letters and receipts continue.

    It is a multiple of ten thousand, beyond *used*, the highest one known to be used, and at least
    twice that of this database: more emails have hardly come since the backup than before it.
    """
    highest = max(2 * newest_letter(session), used)
    number = (highest // _STEP + 1) * _STEP
    session.add(
        InboxLetter(
            id=number,
            receipt=number,
            source=SOURCE,
            source_id=f"{int(now.timestamp() * 1000):x}",
            sha256="",
            size=0,
            arrived_at=now,
            state=InboxState.IGNORED,
            note="no email: a backup was restored, and receipts continue here",
            raw=b"",
            read_at=now,
        )
    )
    session.flush()
    if is_postgres(session):
        session.execute(
            text("SELECT setval(pg_get_serial_sequence('inbox', 'id'), :number)"),
            {"number": number},
        )
    return number


def current(session: Session) -> str:
    """Return the name of the epoch, in lower-case letters and digits; "" before any restore."""
    query = select(InboxLetter.source_id).where(InboxLetter.source == SOURCE)
    newest = session.scalar(query.order_by(InboxLetter.id.desc()).limit(1))
    return "" if newest is None else f"e{newest}"
