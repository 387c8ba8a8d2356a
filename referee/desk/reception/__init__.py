"""Processing of a letter: received, routed, confirmed or carried out, and answered."""
