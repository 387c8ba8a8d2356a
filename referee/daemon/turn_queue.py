"""Turns that are over: claimed one by one, carried out, and set aside when they break."""

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
from referee.daemon.claim_recovery import ClaimRecovery
from referee.daemon.logs import line
from referee.daemon.supervisor import Failure, Supervisor
from referee.desk.base.desk import Desk
from referee.desk.base.site import Site
from referee.desk.due import adjudication, stalled_turns
from referee.desk.due.adjudication import Claim, DueCutoff
from referee.errors import ClaimLost, StoreBusy, StoreError, StoreUnreachable, StoreUnwritable
from referee.store import Store
from referee.store.models import Game
from referee.tally import Counted

log = logging.getLogger(__name__)

OUTAGES: Final = (StoreBusy, StoreUnreachable, StoreUnwritable)
"""What is the database's trouble and not that of the letter or turn at hand."""


class Ending(Enum):
    """How the work on a claimed turn ended."""

    DONE = "done"
    LOST = "lost"
    """Somebody else has the game, and nothing was written."""
    OUTAGE = "outage"
    """The database could not be used, and nothing was written."""
    STOPPED = "stopped"
    """The referee stops, and nothing was written."""
    BROKEN = "broken"
    """The rules, the letters or the program failed, and nothing was written."""


@dataclass(frozen=True, slots=True)
class TurnRun:
    """The end of the work on a turn; what went wrong stands in the log under *reference*."""

    ending: Ending
    reference: str = ""
    seconds: float = field(default=0.0, compare=False)
    """How long the work took."""


Carry = Callable[[Claim, datetime], TurnRun]
"""Adjudicates a claimed game; it does not raise."""


def carry_here(guard: Supervisor, store: Store, site: Site, claim: Claim, now: datetime) -> TurnRun:
    """Adjudicate a claimed game in this process."""
    begun = time.monotonic()
    work = partial(adjudication.carry_out, store, site, claim, now)
    trouble = guard.attempt(work, game=claim.game)
    if trouble is not None:
        return TurnRun(_ending(trouble), trouble.reference)
    return TurnRun(Ending.DONE, seconds=time.monotonic() - begun)


def _ending(trouble: Failure) -> Ending:
    if isinstance(trouble.error, ClaimLost):
        return Ending.LOST
    return Ending.OUTAGE if isinstance(trouble.error, OUTAGES) else Ending.BROKEN


class TurnQueue:
    """The turns that wait for this daemon; several threads may take them at once."""

    def __init__(self, app: App, owner: str, stopping: Event) -> None:
        self._app = app
        self._owner = owner
        self._claims = ClaimRecovery(app.store, owner, Game)
        self._stopping = stopping
        self._look: DueCutoff | None = None
        self._waiting: deque[int] = deque()
        self._dropped: deque[Claim] = deque()
        """Claims that led to nothing, to be given back as soon as the database answers."""

    def find(self, look: DueCutoff | None) -> None:
        """Look which turns are over, in place of what was found before; None lets all wait."""
        # Whoever takes a game meanwhile asks by the old look, which was right then.
        found = adjudication.due(self._app.store, self._owner, look) if look is not None else ()
        self._waiting = deque(found)
        self._look = look

    def take(self, guard: Supervisor, carry: Carry) -> int:
        """Adjudicate what waits until nothing does, and return how many turns that was.

        Raises StoreError when the database cannot be used; the rest waits for the next find.
        """
        count = 0
        while (look := self._look) is not None and not self._stopping.is_set():
            self.give_back()
            with self._claims.sure():
                claim = adjudication.claim_next(self._app.store, self._owner, look, self._waiting)
            if claim is None:
                break
            count += self._end(guard, claim, carry, look.now)
        return count

    def give_back(self) -> None:
        """Leave to anybody what was claimed and led to nothing. Raises StoreError."""
        while self._dropped:
            claim = self._dropped.popleft()
            try:
                adjudication.drop(self._app.store, claim)
            except ClaimLost:
                continue
            except StoreError:
                self._dropped.append(claim)
                raise

    def _end(self, guard: Supervisor, claim: Claim, carry: Carry, now: datetime) -> bool:
        """See a claimed turn to its end, and say whether it is done.

        Raises StoreUnreachable when the trouble was the database's, so that all turns rest.
        """
        ended = carry(claim, now)
        if ended.ending is Ending.DONE:
            self._app.tally.add(Counted.ADJUDICATED)
            self._app.tally.add(Counted.ADJUDICATION_SECONDS, by=ended.seconds)
            took = f"{ended.seconds:.2f}"
            log.info("%s", line("a turn was adjudicated", game=claim.game, seconds=took))
        elif ended.ending is Ending.BROKEN:
            self._set_aside(guard, claim, ended.reference, now)
        elif ended.ending is Ending.STOPPED:
            self._dropped.append(claim)
        elif ended.ending is Ending.OUTAGE:
            self._dropped.append(claim)
            raise StoreUnreachable("no turn can be written down; the lines before this say why")
        return ended.ending is Ending.DONE

    def _set_aside(self, guard: Supervisor, claim: Claim, reference: str, now: datetime) -> None:
        """Let a game rest whose turn could not be resolved, so that all others go on."""
        try:
            with self._app.store.write() as session:
                stalled_turns.set_aside(session, claim, now)
        except ClaimLost:
            return
        # What broke may be the very letters that would tell of it; the game rests all the same.
        guard.attempt(partial(self._tell, claim, reference, now), game=claim.game)

    def _tell(self, claim: Claim, reference: str, now: datetime) -> None:
        with self._app.store.write() as session:
            stalled_turns.tell_of_stall(Desk(session, self._app.site, now), claim.game, reference)
