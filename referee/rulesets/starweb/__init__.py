"""StarWeb, a game of diplomacy and conquest between six types of beings, as a ruleset."""
