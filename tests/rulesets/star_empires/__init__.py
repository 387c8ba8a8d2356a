"""Star Empires, tested as data and as a whole."""
