"""Web pages about the games, and the book of a game that has ended."""
