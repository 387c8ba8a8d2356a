"""Letters as values: reading incoming email, writing outgoing email."""
