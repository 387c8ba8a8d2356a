"""What several tests start, play and look at."""
