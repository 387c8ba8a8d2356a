"""Owners of claims: daemons by machine and process id; claims that are lost or in doubt."""

import logging
import os
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

from referee.daemon import claim_owners
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
            if claim_owners.is_dead(other, owner):
                rows = stale_claims.give_back(session, other)
                intake_leases.leave(session, other)
                log.info("%s", line("stale claims released", rows=rows))


_MACHINE_ID: Final = Path("/etc/machine-id")
_RANDOM: Final = 1 << 40
"""A bit in the number that a program draws without a network card (RFC 4122, 4.5)."""


def machine() -> str:
    """Return the id of this machine: its name and its network card's number.

    Without a card, it is a hash of the machine id. Without both, every program gets a different id,
    and no daemon counts as dead.
    """
    card = uuid.getnode()
    number = f"{card:x}" if not card & _RANDOM else _machine_id() or f"{card:x}"
    return f"{socket.gethostname()}-{number}"


def _machine_id() -> str:
    try:
        number = _MACHINE_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""
    return sha256(f"referee {number}".encode()).hexdigest()[:12] if len(number) == 32 else ""


def own() -> str:
    """Return the owner id of this process."""
    return f"{machine()}:{os.getpid()}"


def is_dead(owner: str, own_id: str) -> bool:
    """Return whether the daemon *owner* ran on this machine and has ended.

    A daemon holds nothing before its first step, so an earlier holder with the same id is dead,
    too: in a container, every daemon has the same process id.
    """
    if owner == own_id:
        return True
    found, _, number = owner.rpartition(":")
    if found != machine() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
