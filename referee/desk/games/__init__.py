"""A running game: its deadline, reminders and house rules; its turns resolved and replayed."""
