"""How long letters and states are kept as they are, and when they are deleted."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Retention:
    """The age at which old rows are compressed or deleted; None means never.

    Nothing that belongs to a game is deleted: its letters and states are bundled.
    """

    bundled: timedelta | None = timedelta(days=60)
    """The age at which letters and states of games are compressed together."""
    strangers: timedelta | None = timedelta(days=365)
    """The age at which the bytes of letters without a game are deleted."""
    unproven: timedelta | None = timedelta(days=30)
    """The same for letters of unknown senders, and for all that nobody has confirmed."""
    ignored: timedelta | None = timedelta(days=90)
    """The same for automatic letters without a game."""
    quarantined: timedelta | None = timedelta(days=365)
    """The same for quarantined letters without a game."""
