"""Views as text and as values: what a ruleset shows, drawn."""
