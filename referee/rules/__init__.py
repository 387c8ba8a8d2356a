"""What the author of a ruleset needs: the interface, report blocks and dice."""
