"""Letters in the database, in and out, and what is counted of them."""
