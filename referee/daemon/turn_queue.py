"""Turns that are due: claimed one by one, adjudicated, and stalled if they fail."""

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import partial
from threading import Event
from typing import Final

from referee.app import App
from referee.daemon.claim_owners import ClaimRecovery
from referee.daemon.logs import line
from referee.daemon.supervisor import Failure, Supervisor
from referee.desk.base.desk import Desk, Site, SparedFault
from referee.desk.due import adjudication, owed_letters, stalled_turns
from referee.desk.due.adjudication import Claim, DueCutoff
from referee.desk.due.owed_letters import Owed
from referee.errors import ClaimLost, StoreBusy, StoreError, StoreUnreachable, StoreUnwritable
from referee.store import Store
from referee.store.models import Game
from referee.tally import Counted

log = logging.getLogger(__name__)

OUTAGES: Final = (StoreBusy, StoreUnreachable, StoreUnwritable)
"""Database failures, which are not the fault of the current letter or turn."""


class Ending(Enum):
    """How the work on a claimed turn run."""

    DONE = "done"
    LOST = "lost"
    """Another owner has the game; nothing was written."""
    OUTAGE = "outage"
    """The database could not be used; nothing was written."""
    STOPPED = "stopped"
    """The referee is stopping; nothing was written."""
    BROKEN = "broken"
    """The rules, the letters or the program failed; nothing was written."""


@dataclass(frozen=True, slots=True)
class TurnRun:
    """The end of the work on a turn; a failure is in the log under *reference*."""

    ending: Ending
    reference: str = ""
    seconds: float = field(default=0.0, compare=False)
    """The duration of the work."""


Carry = Callable[[Claim | Owed, datetime], TurnRun]
"""Adjudicates a claimed game, or makes an owed letter; does not raise."""


def carry_here(
    guard: Supervisor, store: Store, site: Site, work: Claim | Owed, now: datetime
) -> TurnRun:
    """Adjudicate a claimed game, or make an owed letter, in this process."""
    begun = time.monotonic()
    faults = list[SparedFault]()

    def carry() -> None:
        if isinstance(work, Owed):
            faults.extend(owed_letters.carry_out(store, site, work, now))
        else:
            faults.extend(adjudication.carry_out(store, site, work, now))

    failure = guard.attempt(carry, game=work.game)
    guard.note_spared(faults)
    if failure is not None:
        return TurnRun(_ending(failure), failure.reference)
    return TurnRun(Ending.DONE, seconds=time.monotonic() - begun)


def _ending(failure: Failure) -> Ending:
    if isinstance(failure.error, ClaimLost):
        return Ending.LOST
    return Ending.OUTAGE if isinstance(failure.error, OUTAGES) else Ending.BROKEN


class TurnQueue:
    """The turns that wait for this daemon; several threads can take them at once."""

    def __init__(self, app: App, owner: str, stopping: Event) -> None:
        self._app = app
        self._owner = owner
        self._claims = ClaimRecovery(app.store, owner, Game)
        self._stopping = stopping
        self._cutoff: DueCutoff | None = None
        self._waiting: deque[int] = deque()
        self._abandoned: deque[Claim] = deque()
        """Abandoned claims, to be released when the database works again."""

    def find(self, cutoff: DueCutoff | None) -> None:
        """Replace the due turns by those found now; None makes all wait."""
        # A turn taken during this call uses the previous cutoff, which was valid then.
        found = adjudication.due(self._app.store, self._owner, cutoff) if cutoff is not None else ()
        self._waiting = deque(found)
        self._cutoff = cutoff

    def take(self, guard: Supervisor, carry: Carry) -> int:
        """Adjudicate all waiting turns, and return their number.

        Raises StoreError if the database cannot be used; the rest waits for the next ``find``.
        """
        count = 0
        while (cutoff := self._cutoff) is not None and not self._stopping.is_set():
            self.release_abandoned()
            with self._claims.sure():
                claim = adjudication.claim_next(self._app.store, self._owner, cutoff, self._waiting)
            if claim is None:
                break
            count += self._finish(guard, claim, carry, cutoff.now)
        return count

    def release_abandoned(self) -> None:
        """Release abandoned claims. Raises StoreError."""
        while self._abandoned:
            claim = self._abandoned.popleft()
            try:
                adjudication.drop(self._app.store, claim)
            except ClaimLost:
                continue
            except StoreError:
                self._abandoned.append(claim)
                raise

    def _finish(self, guard: Supervisor, claim: Claim, carry: Carry, now: datetime) -> bool:
        """Finish a claimed turn, and return whether it was adjudicated.

        Raises StoreUnreachable after a database failure, so that all turns wait to be retried.
        """
        run = carry(claim, now)
        if run.ending is Ending.DONE:
            self._app.tally.add(Counted.ADJUDICATED)
            self._app.tally.add(Counted.ADJUDICATION_SECONDS, by=run.seconds)
            took = f"{run.seconds:.2f}"
            log.info("%s", line("turn resolved", game=claim.game, seconds=took))
        elif run.ending is Ending.BROKEN:
            self._stall(guard, claim, run.reference, now)
        elif run.ending is Ending.STOPPED:
            self._abandoned.append(claim)
        elif run.ending is Ending.OUTAGE:
            self._abandoned.append(claim)
            raise StoreUnreachable("turns: cannot be recorded; see the log lines before this")
        return run.ending is Ending.DONE

    def _stall(self, guard: Supervisor, claim: Claim, reference: str, now: datetime) -> None:
        """Stall a game whose turn could not be resolved, so that the others continue."""
        try:
            with self._app.store.write() as session:
                stalled_turns.set_aside(session, claim, now)
        except ClaimLost:
            return
        # The failure may be in the notices themselves; the game is stalled in any case.
        guard.attempt(partial(self._notify, claim, reference, now), game=claim.game)

    def _notify(self, claim: Claim, reference: str, now: datetime) -> None:
        with self._app.store.write() as session:
            stalled_turns.report_stall(Desk(session, self._app.site, now), claim.game, reference)
