"""Bundles: a game's old data is compressed together, and packed again when a part is deleted."""

import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session, load_only

from referee.errors import ClaimLost
from referee.store.database.base import Bundle
from referee.store.database.bundle_format import Rows, pack, unpack
from referee.store.database.claims import locked
from referee.store.letter_states import InboxState, OutboxState
from referee.store.models import InboxLetter, OutboxLetter, TurnRow

OCTETS: Final = 1_000_000
"""The maximum size of a bundle, which is read as a whole to show one letter of it."""
_FEW: Final = 20
_DONE: Final = (InboxState.READ, InboxState.IGNORED)
_GONE: Final = (OutboxState.SENT, OutboxState.FAILED)
_KINDS: Final[Mapping[str, Any]] = {
    "inbox": InboxLetter,
    "outbox": OutboxLetter,
    "turns": TurnRow,
}


@dataclass(frozen=True, slots=True)
class BundleContent:
    """The content of one bundle of a game: bytes by table and id."""

    game_id: int
    rows: Rows

    @property
    def count(self) -> int:
        """Return the number of rows in it."""
        return sum(len(octets) for octets in self.rows.values())


@dataclass(frozen=True, slots=True)
class StaleBundle:
    """A bundle from which rows were deleted, and the bytes that it still holds."""

    number: int
    rows: Rows


def gather(
    session: Session, now: datetime, span: timedelta, slim: Callable[[bytes], bytes] = bytes
) -> BundleContent | None:
    """Return the content of the next bundle, from one game, or None if no game has a turn that old.

    Once a turn was resolved *span* ago, everything in its game at least half as old is bundled with
    it, because much data compresses well together. *slim* returns what is kept of a received
    letter. Letters come before turns, because the game is
    found again by its turns.
    """
    game = session.scalar(_oldest(now - span))
    if game is None:
        return None
    rows: dict[str, dict[int, bytes]] = {kind: {} for kind in _KINDS}
    size = 0
    for kind, number, octets in _old(session, game, now - span / 2, slim):
        rows[kind][number] = octets
        size += len(octets)
        if size >= OCTETS:
            break
    return BundleContent(game, rows)


def packed(rows: Rows) -> bytes:
    """Return the content of a bundle, after checking that it unpacks. This is slow."""
    content = pack(rows)
    if unpack(content) != rows:
        raise AssertionError("a bundle does not hold what was put into it")
    return content


def keep(session: Session, gathered: BundleContent, content: bytes, now: datetime) -> None:
    """Store the bundle and empty its rows.

    Raises ClaimLost if another program has bundled or changed one of the rows.
    """
    made = Bundle(game_id=gathered.game_id, content=content, rows=gathered.count, made_at=now)
    session.add(made)
    session.flush()
    for kind, octets in gathered.rows.items():
        if octets and _empty(session, _KINDS[kind], list(octets), made.id) != len(octets):
            raise ClaimLost(f"rows of {kind} of game {gathered.game_id} have changed")


def next_stale(session: Session) -> StaleBundle | None:
    """Return the next bundle to pack again with what it still holds, or None. This is slow."""
    bundle = session.scalar(select(Bundle).where(Bundle.is_stale).order_by(Bundle.id).limit(1))
    if bundle is None:
        return None
    kept = _kept(session, bundle.id)
    whole = unpack(bundle.content)
    rows = {name: {each: whole[name][each] for each in kept[name]} for name in kept}
    return StaleBundle(bundle.id, rows)


def put_back(session: Session, stale: StaleBundle, content: bytes) -> None:
    """Replace the content of the bundle; an empty bundle is deleted.

    Raises ClaimLost if more was deleted from it since it was read.
    """
    query = select(Bundle).where(Bundle.id == stale.number, Bundle.is_stale)
    bundle = session.scalar(locked(query))
    kept = _kept(session, stale.number)
    if bundle is None or kept != {name: set(rows) for name, rows in stale.rows.items()}:
        raise ClaimLost(f"bundle {stale.number} has changed")
    if not any(kept.values()):
        session.delete(bundle)
        return
    bundle.content, bundle.rows, bundle.is_stale = content, sum(map(len, kept.values())), False


def _oldest(until: datetime) -> Select[int]:
    """Build the query for the game with the oldest turn that is not bundled."""
    apart = TurnRow.bundle_id.is_(None), TurnRow.resolved_at <= until
    return select(TurnRow.game_id).where(*apart).order_by(TurnRow.resolved_at).limit(1)


def _old(
    session: Session, game: int, until: datetime, slim: Callable[[bytes], bytes]
) -> Iterator[tuple[str, int, bytes]]:
    came = _letters(InboxLetter, game, until)
    for letter in _streamed(session, came.where(InboxLetter.state.in_(_DONE))):
        yield "inbox", letter.id, slim(letter.raw)
    went = _letters(OutboxLetter, game, until)
    for letter in _streamed(session, went.where(OutboxLetter.state.in_(_GONE))):
        yield "outbox", letter.id, letter.stored
    turns = select(TurnRow).where(TurnRow.game_id == game, TurnRow.bundle_id.is_(None))
    resolved = turns.where(TurnRow.resolved_at <= until).order_by(TurnRow.id)
    for turn in _streamed(session, resolved.options(load_only(TurnRow.stored))):
        # Compressed data would not compress further with the others.
        yield "turns", turn.id, zlib.decompress(turn.stored)


def _letters(kind: Any, game: int, until: datetime) -> Select[Any]:
    at = kind.arrived_at if kind is InboxLetter else kind.created_at
    apart = kind.game_id == game, kind.bundle_id.is_(None), at <= until
    needed = [kind.stored, kind.bundle_id]
    needed += [kind.same_as_id] if kind is InboxLetter else []
    return select(kind).where(*apart).order_by(kind.id).options(load_only(*needed))


def _streamed(session: Session, query: Select[Any]) -> Iterator[Any]:
    return iter(session.scalars(query.execution_options(yield_per=_FEW)))


def _empty(session: Session, kind: Any, numbers: list[int], bundle: int) -> int:
    """Empty the rows that still have their bytes, and return the number of them."""
    rows = update(kind).where(kind.id.in_(numbers), kind.bundle_id.is_(None))
    if kind is TurnRow:
        rows = rows.where(TurnRow.resolved_at.is_not(None))
    values: dict[str, Any] = {"stored": b"", "bundle_id": bundle}
    if kind is InboxLetter:
        values["same_as_id"] = None
    done: Any = session.execute(
        rows.values(**values),
        execution_options={"synchronize_session": False},
    )
    count: int = done.rowcount
    return count


def _kept(session: Session, bundle: int) -> dict[str, set[int]]:
    """Return the ids of the rows whose bytes are in the bundle, by table."""
    return {
        kind: set(session.scalars(select(model.id).where(model.bundle_id == bundle)))
        for kind, model in _KINDS.items()
    }
