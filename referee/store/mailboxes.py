"""Mailbox cursors: how far each mailbox has been read."""

from sqlalchemy.orm import Session

from referee.store.models import MailboxCursor


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
