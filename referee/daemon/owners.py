"""Who holds a claim: a daemon by its machine and its number there, and whether it still runs."""

import os
import socket
import uuid


def here() -> str:
    """Give what tells this machine from all others: its name, and its network card's number."""
    return f"{socket.gethostname()}-{uuid.getnode():x}"


def ourselves() -> str:
    """Give what this program holds claims as."""
    return f"{here()}:{os.getpid()}"


def is_gone(owner: str, ourselves: str) -> bool:
    """Say whether the daemon *owner* ran on this machine and runs no more.

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
