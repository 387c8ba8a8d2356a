"""Reading a letter: its bytes, parts, text, quotes, and who signed it."""
