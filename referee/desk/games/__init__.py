"""Running games: deadlines, reminders and house rules; turns resolved and replayed."""
