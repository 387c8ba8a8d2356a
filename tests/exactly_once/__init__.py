"""Exactly once: the referee crashes at every point of a conversation, without effect."""
