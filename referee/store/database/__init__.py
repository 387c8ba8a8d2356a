"""The database: connections, schema, claims, types and copies of it."""
