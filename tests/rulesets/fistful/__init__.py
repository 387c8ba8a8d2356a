"""Tests of A Fistful of Planets."""
