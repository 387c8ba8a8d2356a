"""Letters from a game to its people: reports, press, votes and the daily digest."""
