"""The rows: the one home of SQLAlchemy."""

from referee.store import agenda, reminding
from referee.store.engine import Session, Store

__all__ = ["Session", "Store"]

LISTENERS = (agenda, reminding)
"""They note what changes in every session, so whoever writes has them."""
