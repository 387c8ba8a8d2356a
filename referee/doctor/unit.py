"""The unit of the service, as systemd on this machine has it."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from referee.settings import Settings

UNIT: Final = "referee.service"
_STATES: Final = Path("/var/lib")
"""The folder in which systemd makes the StateDirectory of a unit."""


def values(*names: str) -> Iterator[str]:
    """Yield the values of the unit's lines with these names; none if it is not installed."""
    for line in _text().splitlines():
        name, _, value = line.strip().partition("=")
        if name in names:
            yield value.strip()


def how_to_start(settings: Settings) -> str:
    """Return in words how to start the referee: by the unit if it runs on these settings."""
    folders = [_STATES / name for value in values("StateDirectory") for name in value.split()]
    is_service = settings.state_dir in folders
    return "run `systemctl start referee`" if is_service else "start `referee run`"


def _text() -> str:
    program = shutil.which("systemctl")
    if program is None:
        return ""
    try:
        return subprocess.run(  # noqa: S603 - a program of the system's, with fixed words
            [program, "cat", UNIT], capture_output=True, text=True, timeout=5, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
