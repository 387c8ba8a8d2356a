"""Housekeeping: what is old is made small or given up, a little at a time, when nothing waits."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Final

from referee.domain.retention import Retention
from referee.store import Store
from referee.store.games import games
from referee.store.mail import bundling, inbox, outbox
from referee.store.mail import retention as discarding

EVERY: Final = timedelta(hours=12)
"""How long the house is left alone once all is done; what is old is so by days."""
_BUDGET_SECONDS: Final = 0.05
"""How long a round of the loop keeps house; the last piece of work may take longer."""


class Chore(Enum):
    """What is done."""

    FORGET = "forget"
    """Counts of days long past."""
    EMPTY = "empty"
    """Letters of no game, of their octets."""
    BUNDLE = "bundle"
    """Letters and states of a game."""
    SHRINK = "shrink"
    """Pages of the file, which go back to the disk."""


@dataclass(frozen=True, slots=True)
class ChoreResult:
    """A chore, and how much of it was done at once."""

    chore: Chore
    count: int


class Housekeeping:
    """The chores of an installation; each piece of them is one transaction, or done again."""

    def __init__(self, store: Store, retention: Retention) -> None:
        self._store = store
        self._retention = retention
        self._next = datetime.min.replace(tzinfo=UTC)

    def keep(self, now: datetime) -> int:
        """Do a little of what there is to do, unless letters or turns wait; give how much.

        Letters, states, counts and pages are added up. Any number of daemons may do it at once.
        """
        if now < self._next or self._is_busy(now):
            return 0
        until = time.monotonic() + _BUDGET_SECONDS
        done = 0
        for piece in self.pieces(now):
            done += piece.count
            if time.monotonic() >= until:
                return done
        self._next = now + EVERY
        return done

    def pieces(self, now: datetime) -> Iterator[ChoreResult]:
        """Do all there is to do, piece by piece, and give each that was done."""
        deeds = {
            Chore.FORGET: self._forget,
            Chore.EMPTY: self._empty,
            Chore.BUNDLE: self._bundle,
            Chore.SHRINK: self._shrink,
        }
        for chore, deed in deeds.items():
            while count := deed(now):
                yield ChoreResult(chore, count)

    def _is_busy(self, now: datetime) -> bool:
        with self._store.read() as session:
            waits = inbox.oldest_waiting(session) is not None or outbox.is_due(session, now)
            return waits or bool(games.due(session, now))

    def _forget(self, now: datetime) -> int:
        with self._store.write() as session:
            return discarding.forget_counts(session, now)

    def _empty(self, now: datetime) -> int:
        with self._store.write() as session:
            # First of all what a game needs gets out of the way.
            if adopted := discarding.adopt_letters(session, self._retention, now):
                return adopted
            return discarding.empty_letters(session, self._retention, now)

    def _bundle(self, now: datetime) -> int:
        """Bundle what is next; nobody waits for the lock while it is compressed."""
        if (span := self._retention.bundled) is None:
            return 0
        with self._store.read() as session:
            gathered = bundling.gather(session, now, span)
        if gathered is None:
            return 0
        content = bundling.packed(gathered)
        with self._store.write() as session:
            bundling.keep(session, gathered, content, now)
        return gathered.count

    def _shrink(self, _now: datetime) -> int:
        return self._store.shrink()
