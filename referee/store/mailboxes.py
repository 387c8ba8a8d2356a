"""Mailbox cursors: how far each mailbox has been read."""

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.models import Base


class MailboxCursor(Base):
    """How far a mailbox has been read."""

    __tablename__ = "mailbox_cursors"

    source: Mapped[str] = mapped_column(primary_key=True)
    uidvalidity: Mapped[int] = mapped_column(BigInteger)
    last_uid: Mapped[int] = mapped_column(BigInteger)
    """Both count to 2**32 - 1, past the end of a plain integer."""


def cursor(session: Session, source: str) -> MailboxCursor | None:
    """Give how far the mailbox has been read; None before the first time."""
    return session.get(MailboxCursor, source)


def advance(session: Session, source: str, uidvalidity: int, last_uid: int) -> MailboxCursor:
    """Write down that the mailbox is read up to *last_uid*, never less far than before.

    Another UIDVALIDITY is another mailbox, and counts from its own beginning.
    """
    known = session.get(MailboxCursor, source, with_for_update=True)
    if known is None:
        known = MailboxCursor(source=source, uidvalidity=uidvalidity, last_uid=last_uid)
        session.add(known)
    elif known.uidvalidity != uidvalidity:
        known.uidvalidity, known.last_uid = uidvalidity, last_uid
    else:
        known.last_uid = max(known.last_uid, last_uid)
    session.flush()
    return known
