"""What players command: questions, press, votes, undo, settings, HELP."""
