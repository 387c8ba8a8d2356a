"""Work that falls due by the clock: turns, outages, alerts, the operator's digest, sending."""
