"""Tests of what a release has besides the program."""
