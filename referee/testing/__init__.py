"""The test tools for authors of rulesets, which also run from the command line."""
