"""The program that runs play-by-email games."""
