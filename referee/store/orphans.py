"""Orphans: rows whose claim outlived its owner, given back before their lease runs out."""

from typing import Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from referee.store.mailboxes import MailboxHold
from referee.store.models import Game, InboxLetter, OutboxLetter

_CLAIMED: Final = (Game, InboxLetter, OutboxLetter, MailboxHold)


def owners(session: Session) -> frozenset[str]:
    """Give everybody who holds a row, dead or alive."""
    found: set[str | None] = set()
    for rows in _CLAIMED:
        found.update(session.scalars(select(rows.owner).distinct()))
    return frozenset(owner for owner in found if owner is not None)


def give_back(session: Session, owner: str) -> int:
    """Leave every row of *owner* to anybody, and give how many there were.

    Should he be alive after all, whatever he does with them afterwards is refused.
    """
    count = 0
    for rows in _CLAIMED:
        free = {"owner": None, "lease_until": None, "fence": rows.fence + 1}
        held = update(rows).where(rows.owner == owner).values(free).returning(rows.fence)
        count += len(session.scalars(held).all())
    return count
