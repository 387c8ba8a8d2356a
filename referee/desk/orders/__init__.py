"""One letter at work: its context, the sheet it changes, and what its writer may do."""
