"""Tests of referee.store.privacy."""
