"""Tests of mail sources and transports, with scripted servers."""
