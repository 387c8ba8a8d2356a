"""A Fistful of Planets, tested as data and as a whole."""
