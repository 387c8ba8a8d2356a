"""The database as the checks open it: if it can be read at all."""

from collections.abc import Iterator
from contextlib import contextmanager

from referee.errors import ResourceError, StoreError
from referee.opening import open_store
from referee.settings import Settings
from referee.state_dir import database_file, is_there
from referee.store import Store


@contextmanager
def opened(settings: Settings) -> Iterator[Store | None]:
    """Open the database if it exists and is up to date; else yield None."""
    file = database_file(settings)
    try:
        store = (
            None if file is not None and not is_there(file) else open_store(settings, or_reads=True)
        )
    except (ResourceError, StoreError):
        store = None
    if store is None:
        yield None
        return
    try:
        yield store if _is_current(store) else None
    finally:
        store.close()


def _is_current(store: Store) -> bool:
    try:
        store.check()
    except StoreError:
        return False
    return True
