"""The tools for authors of rulesets: interface, turns, rulings, dice, report blocks, scenarios."""
