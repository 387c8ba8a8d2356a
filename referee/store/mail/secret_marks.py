"""The fingerprint of the secret that signs letters, in the audit log of the site.

It shows that the secret has changed, and nothing of the secret itself.
"""

from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from referee.store.games.audit import AuditEntry
from referee.store.models import InboxLetter, OutboxLetter, Person

_NOTED: Final = "emails are signed with the secret "


def newest(session: Session) -> str | None:
    """Return the fingerprint of the secret in use, or None if none was recorded."""
    query = select(AuditEntry.what).where(AuditEntry.game_id.is_(None))
    query = query.where(AuditEntry.what.startswith(_NOTED)).order_by(AuditEntry.id.desc())
    what = session.scalar(query.limit(1))
    return None if what is None else what.removeprefix(_NOTED)


def note(session: Session, fingerprint: str, now: datetime) -> None:
    """Record that letters are signed with another secret from now on."""
    session.add(AuditEntry(game_id=None, at=now, who="referee", what=f"{_NOTED}{fingerprint}"))


def is_needed(session: Session) -> bool:
    """Return whether letters can have been signed: a secret was recorded, or somebody wrote."""
    return newest(session) is not None or any(
        session.scalar(select(row.id).limit(1)) is not None
        for row in (InboxLetter, OutboxLetter, Person)
    )
