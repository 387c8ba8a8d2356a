"""A trial: what is done in it is undone at its end."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session


@contextmanager
def trial(session: Session) -> Iterator[None]:
    """Undo at the end what is done in the transaction from here on, and nothing else."""
    session.flush()
    savepoint = session.begin_nested()
    try:
        yield
    finally:
        savepoint.rollback()
        # The session does not know which rows were changed by statements.
        session.expire_all()
