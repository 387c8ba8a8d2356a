"""Database connections, schema, claims, column types and copies of a whole database."""
