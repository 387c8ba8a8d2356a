"""Recover claims whose commit result is unknown after a database failure."""

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

    If the database fails during a commit, the owner cannot be sure that it holds the claim. Before
    it claims again, it releases all its rows of that kind; writes of any work still in progress are
    then rejected, and the work starts again.
    """

    def __init__(self, store: Store, owner: str, rows: type[Claimed]) -> None:
        self._store, self._owner, self._rows = store, owner, rows
        self._is_in_doubt = False

    @contextmanager
    def sure(self) -> Iterator[None]:
        """Claim within this context. Raises StoreError if unknown claims cannot be released."""
        if self._is_in_doubt:
            with self._store.claim() as session:
                stale_claims.give_back(session, self._owner, [self._rows])
            self._is_in_doubt = False
        try:
            yield
        except StoreUnreachable:
            self._is_in_doubt = True
            raise


def reclaim_stale_claims(store: Store, owner: str) -> None:
    """Release the claims of dead daemons on this machine."""
    with store.write() as session:
        for other in sorted(stale_claims.owners(session) | intake_leases.owners(session)):
            if owner_id.is_dead(other, owner):
                rows = stale_claims.give_back(session, other)
                intake_leases.leave(session, other)
                log.info("%s", line("stale claims released", rows=rows))
