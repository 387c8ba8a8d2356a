"""Intake leases: no turn is resolved while an earlier letter may still arrive.

A process that receives letters registers before the first one can arrive. It then renews its lease,
stating the time up to which all its letters are stored. Turns wait for it until it leaves or the
lease expires. A letter stored after that would be in time and yet too late, so it counts as arrived
when it is stored.
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
"""How long after the last renewal turns still wait for an owner."""


class IntakeLeaseExpired(StoreBusy):
    """The lease had expired, so a turn may have been resolved without the letter."""


class IntakeRegistration:
    """The intake lease of an *owner*; without an owner, turns do not wait."""

    def __init__(self, store: Store, clock: Callable[[], datetime], owner: str = "") -> None:
        self.owner = owner
        self._store, self._clock = store, clock
        self._since: datetime | None = None
        """When turns last began to wait without a break, or None if that is not known."""

    def tell(self, watermark: datetime) -> None:
        """Renew the lease: all letters up to *watermark* are stored. Raises StoreError."""
        with self._store.claim() as session:
            if intake_leases.tell(session, self.owner, watermark, self._clock(), LEASE):
                # Reset it before the commit lets other threads see the new lease.
                self._since = None
        moment = self._clock()
        # If the clock was set back, turns have waited since it first showed the earlier time.
        self._since = min(self._since or moment, moment)

    def end(self) -> None:
        """End the lease, so that turns no longer wait. Raises StoreError."""
        with self._store.claim() as session:
            intake_leases.leave(session, self.owner)

    def check(self, session: Session, arrivals: Sequence[IncomingMail]) -> None:
        """Raise IntakeLeaseExpired if a turn may have been resolved without one of the letters."""
        if not self.owner:
            return
        is_awaited = intake_leases.is_awaited(session, self.owner)
        # Read it after the lease: ``tell`` resets it before a renewed lease is visible.
        since = self._since
        if not is_awaited or since is None or any(each.arrived_at < since for each in arrivals):
            raise IntakeLeaseExpired("nobody waited for this letter")

    def in_time(self, keep: Callable[[IncomingMail], int]) -> Callable[[IncomingMail], int]:
        """Return *keep* with a retry: if the lease has expired, the letter arrives only now."""

        def kept(arrival: IncomingMail) -> int:
            try:
                return keep(arrival)
            except IntakeLeaseExpired:
                # Other letters in the same batch may have arrived since then.
                self.tell(arrival.arrived_at)
                return keep(replace(arrival, arrived_at=self._clock()))

        return kept

    def others_until(self, besides: str, now: datetime) -> datetime | None:
        """Return the intake watermark of all owners except *besides*, or None without others.

        Raises StoreError.
        """
        with self._store.read() as session:
            others = intake_leases.others(session, besides, now)
        if not others.is_overdue:
            return others.watermark
        with self._store.claim() as session:
            intake_leases.give_up(session, now)
            return intake_leases.others(session, besides, now).watermark
