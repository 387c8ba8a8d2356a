"""What a game mails its people: reports, press, votes, the daily digest."""
