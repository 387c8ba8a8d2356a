"""Owner of a claim: a daemon by machine and process id, and whether it is still running."""

import os
import socket
import uuid
from hashlib import sha256
from pathlib import Path
from typing import Final

_MACHINE_ID: Final = Path("/etc/machine-id")
_RANDOM: Final = 1 << 40
"""A bit in the number that a program draws without a network card (RFC 4122, 4.5)."""


def machine() -> str:
    """Return the id of this machine: its name and its network card's number.

    Without a card, it is a hash of the machine id. Without both, every program gets a different id,
    and no daemon counts as dead.
    """
    card = uuid.getnode()
    number = f"{card:x}" if not card & _RANDOM else _machine_id() or f"{card:x}"
    return f"{socket.gethostname()}-{number}"


def _machine_id() -> str:
    try:
        number = _MACHINE_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""
    return sha256(f"referee {number}".encode()).hexdigest()[:12] if len(number) == 32 else ""


def own() -> str:
    """Return the owner id of this process."""
    return f"{machine()}:{os.getpid()}"


def is_dead(owner: str, own_id: str) -> bool:
    """Return whether the daemon *owner* ran on this machine and has ended.

    A daemon holds nothing before its first step, so an earlier holder with the same id is dead,
    too: in a container, every daemon has the same process id.
    """
    if owner == own_id:
        return True
    found, _, number = owner.rpartition(":")
    if found != machine() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
