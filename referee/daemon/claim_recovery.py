"""Claiming: what an outage took in the midst of a claim is no claim that nobody works on."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from referee.daemon import owner_id
from referee.daemon.logs import line
from referee.errors import StoreUnreachable
from referee.store import Store
from referee.store.database.base import Claimed
from referee.store.mail import intake_leases, stale_claims

log = logging.getLogger(__name__)


class ClaimRecovery:
    """Claims of *owner* on rows of one kind.

    Who hears nothing of his commit, because the database died in it, cannot know whether he has a
    claim. He leaves all he has of that kind to anybody before he claims again; what is still
    worked on then is refused, and begun again.
    """

    def __init__(self, store: Store, owner: str, rows: type[Claimed]) -> None:
        self._store, self._owner, self._rows = store, owner, rows
        self._is_in_doubt = False

    @contextmanager
    def sure(self) -> Iterator[None]:
        """Claim within this. Raises StoreError when what is in doubt cannot be given back."""
        if self._is_in_doubt:
            with self._store.claim() as session:
                stale_claims.give_back(session, self._owner, [self._rows])
            self._is_in_doubt = False
        try:
            yield
        except StoreUnreachable:
            self._is_in_doubt = True
            raise


def take_over(store: Store, owner: str) -> None:
    """Give back what was claimed by daemons of this machine that are gone, for *owner* to take."""
    with store.write() as session:
        for other in sorted(stale_claims.owners(session) | intake_leases.owners(session)):
            if owner_id.is_gone(other, owner):
                rows = stale_claims.give_back(session, other)
                intake_leases.leave(session, other)
                log.info("%s", line("took over from a daemon that is gone", rows=rows))
