"""The rows: the one home of SQLAlchemy."""

from referee.store.engine import Session, Store

__all__ = ["Session", "Store"]
