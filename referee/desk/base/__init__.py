"""The base of all rooms: the site, loaded games, the sender, letters into the outbox."""
