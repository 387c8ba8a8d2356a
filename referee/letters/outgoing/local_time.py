"""Moments as a player reads them: in his own zone, and in UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment as somebody in *zone* (an IANA name) reads it."""

    at: datetime
    zone: str

    def __str__(self) -> str:
        """Return ``Friday 18 September 2026, 18:00 MST (Saturday 01:00 UTC)``."""
        local = self.at.astimezone(ZoneInfo(self.zone))
        utc = self.at.astimezone(UTC)
        words = f"{local:%A {local.day} %B %Y, %H:%M} {local.tzname()}"
        if local.utcoffset() == utc.utcoffset():
            return words
        day = "" if local.date() == utc.date() else f"{utc:%A} "
        return f"{words} ({day}{utc:%H:%M} UTC)"
