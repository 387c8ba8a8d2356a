"""The rows: the one home of SQLAlchemy."""

from referee.store.database.engine import Session, Store

__all__ = ["Session", "Store"]
