"""Fuzzing: every reader of foreign text, with damaged input."""
