"""Whether a database has been used."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from referee.store.models import InboxLetter, OutboxLetter, Person


def has_begun(session: Session) -> bool:
    """Return whether a letter has come or gone, or somebody is known."""
    return any(
        session.scalar(select(row.id).limit(1)) is not None
        for row in (InboxLetter, OutboxLetter, Person)
    )
