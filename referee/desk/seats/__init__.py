"""Who has a seat: joining, taking over, standbys, deputies, observers, absences, addresses."""
