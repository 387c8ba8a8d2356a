"""A mail as a value: reading what came in, writing what goes out."""
