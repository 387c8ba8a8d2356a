"""Fuzzing: everything that reads what others wrote, fed with damaged pieces of what they write."""
