"""Received and outgoing letters in the database, and counts of them."""
