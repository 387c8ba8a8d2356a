"""What authors of rulesets test with: it is shipped, and runs from the command line."""
