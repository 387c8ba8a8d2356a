"""The soak: weeks of many games on one referee, with a fault in every corner, in a few minutes."""
