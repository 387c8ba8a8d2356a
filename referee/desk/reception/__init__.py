"""The way of a letter: received, routed, confirmed or carried out, answered."""
