"""Commands of players: questions, press, votes, undo, settings and HELP."""
