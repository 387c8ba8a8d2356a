"""Starfarers, tested as data and as a whole."""
