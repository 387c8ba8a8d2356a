"""The use cases: what the referee does with a letter, a deadline, a game; one transaction each."""
