"""The casts: who plays the demonstrations, golden games and tournaments of each game."""
