"""Repacking: bundles lose the letters that were deleted from them."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from referee.errors import ClaimLost
from referee.store.database.base import Bundle
from referee.store.database.bundle_format import Rows, pack, unpack
from referee.store.database.claims import locked
from referee.store.models import InboxLetter, OutboxLetter, TurnRow

_MEMBERS: Final[tuple[Any, ...]] = (InboxLetter, OutboxLetter, TurnRow)


@dataclass(frozen=True, slots=True)
class Repacked:
    """A bundle, and what it still holds: bytes by table and id."""

    number: int
    rows: Rows

    @property
    def count(self) -> int:
        """Return the number of rows in it."""
        return sum(map(len, self.rows.values()))


def next_stale(session: Session) -> Repacked | None:
    """Return the next bundle to pack again with what it still holds, or None. This is slow."""
    bundle = session.scalar(select(Bundle).where(Bundle.is_stale).order_by(Bundle.id).limit(1))
    if bundle is None:
        return None
    kept = _kept(session, bundle.id)
    whole = unpack(bundle.content)
    rows = {name: {each: whole[name][each] for each in kept[name]} for name in kept}
    return Repacked(bundle.id, rows)


def packed(repacked: Repacked) -> bytes:
    """Return the new content of the bundle, after checking that it unpacks. This is slow."""
    content = pack(repacked.rows)
    if unpack(content) != repacked.rows:
        raise AssertionError("a bundle does not hold what was put into it")
    return content


def put_back(session: Session, repacked: Repacked, content: bytes) -> None:
    """Replace the content of the bundle; an empty bundle is deleted.

    Raises ClaimLost if more was deleted from it since it was read.
    """
    query = select(Bundle).where(Bundle.id == repacked.number, Bundle.is_stale)
    bundle = session.scalar(locked(query))
    kept = _kept(session, repacked.number)
    if bundle is None or kept != {name: set(rows) for name, rows in repacked.rows.items()}:
        raise ClaimLost(f"bundle {repacked.number} has changed")
    if not repacked.count:
        session.delete(bundle)
        return
    bundle.content, bundle.rows, bundle.is_stale = content, repacked.count, False


def _kept(session: Session, bundle: int) -> dict[str, set[int]]:
    """Return the ids of the rows whose bytes are in the bundle, by table."""
    return {
        model.__tablename__: set(session.scalars(select(model.id).where(model.bundle_id == bundle)))
        for model in _MEMBERS
    }
