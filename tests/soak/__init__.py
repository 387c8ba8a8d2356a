"""The soak test: weeks of many games on one referee with random failures, in minutes."""
