"""People and seats in the database: addresses, deputies, standbys, observers."""
