"""Benchmarks: durations compared with a baseline in the same run."""
