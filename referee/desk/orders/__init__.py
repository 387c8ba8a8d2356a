"""One letter being processed: its context, the sheet it changes, and what its sender may do."""
