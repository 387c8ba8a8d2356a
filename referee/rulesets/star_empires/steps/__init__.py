"""The steps of a turn, in the sequence of RULES 6."""
