"""System clock; all other code gets the time as an argument."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the current time in UTC, with its zone."""
    return datetime.now(UTC)
