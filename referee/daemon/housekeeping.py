"""Housekeeping: old data is compressed or deleted, a little at a time, in idle moments."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Final

from referee.domain.retention import Retention
from referee.letters.incoming.screening import without_spare_headers
from referee.store import Store
from referee.store.games import due_games
from referee.store.mail import bundling, inbox, outbox
from referee.store.mail import retention as discarding

EVERY: Final = timedelta(hours=12)
"""The pause when all is done; data expires only after days."""
_BUSY: Final = timedelta(seconds=1)
"""The pause while something else waits."""
_BUDGET_SECONDS: Final = 0.05
"""The time for housekeeping in a round of the loop; the last chore can take longer."""


class Chore(Enum):
    """A kind of housekeeping."""

    FORGET = "forget"
    """Delete old counters, call-outs, moves, and fingerprints of people whose games have ended."""
    EMPTY = "empty"
    """Delete the bytes of letters without a game, and of those that nobody has confirmed."""
    REPACK = "repack"
    """Pack bundles again without the letters that were deleted from them."""
    BUNDLE = "bundle"
    """Bundle letters and states of a game."""
    SHRINK = "shrink"
    """Return pages of the database file to the disk."""


@dataclass(frozen=True, slots=True)
class ChoreResult:
    """A chore, and how many items it handled in one transaction."""

    chore: Chore
    count: int


class Housekeeping:
    """The chores of a site. Each transaction is atomic, so it can be interrupted."""

    def __init__(self, store: Store, retention: Retention) -> None:
        self._store = store
        self._retention = retention
        self._next = datetime.min.replace(tzinfo=UTC) + EVERY

    def run(self, now: datetime) -> int:
        """Compress or delete some expired data; return the number of items.

        Does nothing while letters or turns wait. Several daemons can run it at once.
        """
        # A clock that was ahead at the last time is set back again.
        if self._next - EVERY <= now < self._next:
            return 0
        if self._is_busy(now):
            self._next = now + _BUSY
            return 0
        until = time.monotonic() + _BUDGET_SECONDS
        done = 0
        for result in self.do_all(now):
            done += result.count
            if time.monotonic() >= until:
                return done
        self._next = now + EVERY
        return done

    def do_all(self, now: datetime) -> Iterator[ChoreResult]:
        """Do all chores and yield each result."""
        chores = {
            Chore.FORGET: self._forget,
            Chore.EMPTY: self._empty,
            Chore.REPACK: self._repack,
            Chore.BUNDLE: self._bundle,
            Chore.SHRINK: self._shrink,
        }
        for chore, work in chores.items():
            while count := work(now):
                yield ChoreResult(chore, count)

    def _is_busy(self, now: datetime) -> bool:
        with self._store.read() as session:
            waits = outbox.is_due(session, now) or bool(inbox.oldest_waiting(session))
            return waits or bool(due_games.due(session, now))

    def _forget(self, now: datetime) -> int:
        with self._store.write() as session:
            counts = discarding.forget_bookings(session, now)
            counts += discarding.forget_call_outs(session, now)
            counts += discarding.forget_moves(session, now)
            return counts + discarding.forget_fingerprints(session)

    def _empty(self, now: datetime) -> int:
        with self._store.write() as session:
            # What belongs to a game must be assigned to it first.
            if adopted := discarding.adopt_letters(session, self._retention, now):
                return adopted
            lapsed = discarding.lapse_letters(session, self._retention, now)
            return lapsed + discarding.empty_letters(session, self._retention, now)

    def _bundle(self, now: datetime) -> int:
        """Bundle the next data, compressing it without holding the lock."""
        if (span := self._retention.bundled) is None:
            return 0
        with self._store.read() as session:
            gathered = bundling.gather(session, now, span, without_spare_headers)
        if gathered is None:
            return 0
        content = bundling.packed(gathered.rows)
        with self._store.write() as session:
            bundling.keep(session, gathered, content, now)
        return gathered.count

    def _repack(self, _now: datetime) -> int:
        """Pack the next stale bundle again, compressing it without holding the lock."""
        with self._store.read() as session:
            stale = bundling.next_stale(session)
        if stale is None:
            return 0
        content = bundling.packed(stale.rows)
        with self._store.write() as session:
            bundling.put_back(session, stale, content)
        return 1

    def _shrink(self, _now: datetime) -> int:
        return self._store.shrink()
