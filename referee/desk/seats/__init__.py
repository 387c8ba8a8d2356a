"""Seats and their people: joining, takeover, standbys, deputies, observers, absences, addresses."""
