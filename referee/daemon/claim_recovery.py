"""Claiming: what an outage took in the midst of a claim is no claim that nobody works on."""

from collections.abc import Iterator
from contextlib import contextmanager

from referee.errors import StoreUnreachable
from referee.store import Store
from referee.store.database.base import Claimed
from referee.store.mail import stale_claims


class Claiming:
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
