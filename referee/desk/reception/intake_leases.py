"""Taking letters in: no turn ends while a letter that came before may still be on its way to us.

Whoever takes letters in says so before the first one reaches him, and then again and again up to
when all of his are kept. Turns wait for him, until he leaves or has said nothing for too long. A
letter that he keeps after that would be in time and yet too late, so it counts as come at that
moment.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from referee.domain.mail_transfer import IncomingMail
from referee.errors import StoreBusy
from referee.store import Session, Store
from referee.store.mail import intake_leases

LEASE: Final = timedelta(seconds=10)
"""So long after his last word nobody waits for him."""


class IntakeLeaseExpired(StoreBusy):
    """Turns did not wait for a letter, so it may not be kept as one that came before them."""


class IntakeRegistration:
    """Takes letters in for an *owner*; without one nobody is asked to wait for them."""

    def __init__(self, store: Store, clock: Callable[[], datetime], owner: str = "") -> None:
        self.owner = owner
        self._store, self._clock = store, clock
        self._since: datetime | None = None
        """Since when turns have waited all the time; None while that is not known."""

    def tell(self, kept_until: datetime) -> None:
        """Say that every letter up to *kept_until* is kept. Raises StoreError."""
        with self._store.claim() as session:
            if intake_leases.tell(session, self.owner, kept_until, self._clock(), LEASE):
                # Before anybody can see that he is waited for again.
                self._since = None
        moment = self._clock()
        # By a clock that was set back they have waited since it showed that.
        self._since = min(self._since or moment, moment)

    def end(self) -> None:
        """Let turns wait no more. Raises StoreError."""
        with self._store.claim() as session:
            intake_leases.leave(session, self.owner)

    def check(self, session: Session, arrivals: Sequence[IncomingMail]) -> None:
        """Raise IntakeLeaseExpired when a turn may have ended without one of these letters."""
        if not self.owner:
            return
        is_awaited = intake_leases.is_awaited(session, self.owner)
        # Only then: who is waited for anew has forgotten since when before it can be seen.
        since = self._since
        if not is_awaited or since is None or any(each.arrived_at < since for each in arrivals):
            raise IntakeLeaseExpired("nobody waited for this letter")

    def in_time(self, keep: Callable[[IncomingMail], int]) -> Callable[[IncomingMail], int]:
        """Return what keeps a letter by *keep*, which checks, as come when turns waited for it."""

        def kept(arrival: IncomingMail) -> int:
            try:
                return keep(arrival)
            except IntakeLeaseExpired:
                # What else is at hand may have come since then.
                self.tell(arrival.arrived_at)
                return keep(replace(arrival, arrived_at=self._clock()))

        return kept

    def others_until(self, besides: str, now: datetime) -> datetime | None:
        """Give up to when all but *besides* have kept their letters; None when there are no others.

        Raises StoreError.
        """
        with self._store.read() as session:
            if not intake_leases.is_overdue(session, now):
                return intake_leases.kept_until(session, besides)
        with self._store.claim() as session:
            intake_leases.give_up(session, now)
            return intake_leases.kept_until(session, besides)
