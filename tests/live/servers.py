"""Helpers for the servers of the live tests: ports, users, timeouts and missing programs."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

PATIENCE = 240.0
"""Seconds after which a test gives up; a busy machine is slow."""


def program(name: str, server: str, packages: str) -> Path:
    """Return the path of a program; without it, skip the test, or fail if it is required."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/lib/dovecot")
    if found is None:
        absent(f"{server} is not installed: apt install {packages}")
    return Path(found)


def absent(words: str) -> NoReturn:
    """Skip the test with these words, or fail with ``REFEREE_REQUIRE_SERVERS=1``."""
    if os.environ.get("REFEREE_REQUIRE_SERVERS") == "1":
        pytest.fail(words)
    pytest.skip(words)


def listens(port: int) -> bool:
    """Return whether a program listens on a loopback port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def until(what: str, happened: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until something has happened; otherwise fail with *what*."""
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            pytest.fail(f"waited {seconds:.0f} s in vain: {what}")
        time.sleep(0.02)


def output(*command: str | Path) -> str:
    """Run a short command and return its output; fail if it fails."""
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}: {done.stdout}"
    return done.stdout
