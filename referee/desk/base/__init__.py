"""What every room needs: the site, a loaded game, who writes, and letters into the outbox."""
