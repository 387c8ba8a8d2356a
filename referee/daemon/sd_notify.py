"""What the service manager is told: ready, alive, stopping (the protocol of sd_notify)."""

import os
import socket
from contextlib import suppress
from typing import Final

_PATIENCE_SECONDS: Final = 0.5


def tell(state: str) -> bool:
    """Send ``READY=1`` or the like to ``$NOTIFY_SOCKET``, and return whether anybody listens.

    A service manager that does not answer is no reason to stop.
    """
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place:
        return False
    # A name that begins with @ is in the abstract namespace, which a NUL byte says to the kernel.
    address = "\0" + place[1:] if place.startswith("@") else place
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        # What nobody reads piles up, and after ten words we would wait for a reader for ever.
        channel.settimeout(_PATIENCE_SECONDS)
        channel.sendto(state.encode(), address)
        return True
    return False


def watchdog_seconds() -> float | None:
    """Return after how many seconds of silence the service manager restarts us; None when never."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1_000_000 if microseconds.isdecimal() else None
