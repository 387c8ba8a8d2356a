"""The wall clock; everybody else is given the time."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the time of day, in UTC and with its zone."""
    return datetime.now(UTC)
