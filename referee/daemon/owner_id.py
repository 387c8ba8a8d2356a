"""Who holds a claim: a daemon by its machine and its number there, and whether it still runs."""

import os
import socket
import uuid
from hashlib import sha256
from pathlib import Path
from typing import Final

_MACHINE_ID: Final = Path("/etc/machine-id")
_MADE_UP: Final = 1 << 40
"""Set in a number that a program draws for itself where it sees no network card (RFC 4122, 4.5)."""


def here() -> str:
    """Return what tells this machine from all others: its name, and its network card's number.

    Where there is no card, it is the machine's own number, of which nobody is told more than a
    hash. With neither, each program gives another answer, and nobody is thought to be gone.
    """
    card = uuid.getnode()
    number = f"{card:x}" if not card & _MADE_UP else _machine() or f"{card:x}"
    return f"{socket.gethostname()}-{number}"


def _machine() -> str:
    try:
        number = _MACHINE_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""
    return sha256(f"referee {number}".encode()).hexdigest()[:12] if len(number) == 32 else ""


def ourselves() -> str:
    """Return what this program holds claims as."""
    return f"{here()}:{os.getpid()}"


def is_gone(owner: str, ourselves: str) -> bool:
    """Return whether the daemon *owner* ran on this machine and runs no more.

    Before its first step a daemon holds nothing, so who held something under its very name is gone
    too: in a container every daemon has the same number.
    """
    if owner == ourselves:
        return True
    machine, _, number = owner.rpartition(":")
    if machine != here() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
