"""Tests of Star Empires."""
