"""What the author of a ruleset needs: interface, turns, rulings, dice, report blocks, cases."""
