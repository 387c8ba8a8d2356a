"""Helpers for several tests: servers, games and checks."""
