"""Games in the database: sheets, turns, press, votes, and due times."""
