"""The rows: the one home of SQLAlchemy."""

from referee.store.database.engine import Session, Store
from referee.store.games import agenda

__all__ = ["Session", "Store"]

LISTENERS = (agenda,)
"""It notes what changes in every session, so whoever writes has it."""
