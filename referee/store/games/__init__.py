"""Games in the database: sheets, turns, press, votes, and what is due in them."""
