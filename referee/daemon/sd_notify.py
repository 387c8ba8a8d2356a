"""Messages to the service manager: ready, alive, stopping (the sd_notify protocol)."""

import os
import socket
from contextlib import suppress
from typing import Final

_PATIENCE_SECONDS: Final = 0.5


def send(state: str) -> bool:
    """Send ``READY=1`` or the like to ``$NOTIFY_SOCKET``; return whether it was delivered.

    A service manager that does not respond is ignored.
    """
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place:
        return False
    # A name that begins with @ is in the abstract namespace, marked by a NUL byte.
    address = "\0" + place[1:] if place.startswith("@") else place
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        # Unread messages fill the queue, and then a send without a timeout would block.
        channel.settimeout(_PATIENCE_SECONDS)
        channel.sendto(state.encode(), address)
        return True
    return False


def watchdog_seconds() -> float | None:
    """Return after how many idle seconds the service manager restarts us, or None."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1_000_000 if microseconds.isdecimal() else None
