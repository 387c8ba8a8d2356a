"""The rows: the one home of SQLAlchemy."""
