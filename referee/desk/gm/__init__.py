"""Commands of GMs: each with its preview and its effect."""
