"""How long letters and states lie as they came, and what is given up at last."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Retention:
    """After how long what is old is made small, or given up; None is never.

    Nothing that belongs to a game is ever given up: its letters and states are bundled.
    """

    bundled: timedelta | None = timedelta(days=60)
    """Of a game's letters and states, until they are compressed together."""
    strangers: timedelta | None = timedelta(days=365)
    """Of letters of no game, until their octets are given up."""
    ignored: timedelta | None = timedelta(days=90)
    """Of machines' letters of no game, likewise."""
    quarantined: timedelta | None = timedelta(days=365)
    """Of letters of no game in quarantine, likewise."""
