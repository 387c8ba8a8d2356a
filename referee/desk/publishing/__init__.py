"""What everyone can read of the games: pages, and the book of a game that has ended."""
