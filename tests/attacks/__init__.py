"""Attacks by mail on a whole referee, none of which may succeed."""
