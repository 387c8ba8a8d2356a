"""The steps of a turn, one module per group. ``turn.py`` has their sequence and its reasons."""
