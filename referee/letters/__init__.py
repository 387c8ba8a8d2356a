"""A mail as a value: decoded, stripped of quotes, screened; and the letters we write."""
