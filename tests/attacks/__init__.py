"""Attacks on a whole referee by mail, none of which may succeed."""
