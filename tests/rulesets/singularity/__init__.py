"""The Singularity Trap, tested as data and as a whole."""
