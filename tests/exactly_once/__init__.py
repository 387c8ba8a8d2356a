"""Exactly once: the referee dies at every point of a conversation, and nobody can tell."""
