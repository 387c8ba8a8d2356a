"""Incoming email: its bytes, parts, text, quotes, and signatures."""
