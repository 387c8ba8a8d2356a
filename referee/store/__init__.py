"""The database layer: the only package that imports SQLAlchemy."""

from referee.store.database.engine import Session, Store

__all__ = ["Session", "Store"]
