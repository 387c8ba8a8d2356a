"""Benchmarks: how long things take beside a baseline measured in the same run."""
