"""The values and arithmetic of correspondence games, without clock, mail or database rows."""
