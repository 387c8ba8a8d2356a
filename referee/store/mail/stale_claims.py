"""Stale claims: rows whose owner has died, released before their lease ends."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from referee.store.database.base import Claimed
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail.call_outs import CallOutRow
from referee.store.mail.mailboxes import MailboxLease
from referee.store.models import Game, InboxLetter, OutboxLetter

_CLAIMED: Final = (Game, InboxLetter, OutboxLetter, CallOutRow, MailboxLease)


def owners(session: Session) -> frozenset[str]:
    """Return all owners of claimed rows, including dead ones."""
    found: set[str | None] = set()
    for rows in _CLAIMED:
        found.update(session.scalars(select(rows.owner).where(*_open(rows)).distinct()))
    return frozenset(owner for owner in found if owner is not None)


def give_back(session: Session, owner: str, kinds: Sequence[type[Claimed]] = _CLAIMED) -> int:
    """Release every row of *owner* of these *kinds*, and return their number.

    If the owner is alive after all, its later writes to them are rejected.
    """
    count = 0
    for rows in kinds:
        free = {"owner": None, "lease_until": None, "fence": rows.fence + 1}
        of_owner = update(rows).where(rows.owner == owner, *_open(rows))
        held = of_owner.values(free).returning(rows.fence)
        count += len(session.scalars(held).all())
    return count


def _open(rows: type[Claimed]) -> Sequence[ColumnElement[bool]]:
    """Return the SQL condition for rows that can be claimed: of letters, only waiting ones."""
    if rows is InboxLetter:
        return (InboxLetter.state == InboxState.WAITING,)
    if rows is OutboxLetter or rows is CallOutRow:
        return (rows.state == OutboxState.WAITING,)
    return ()
