"""What GMs command: each command with its preview and what it does."""
