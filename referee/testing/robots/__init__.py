"""Robots that play by mail: all they know is what a player is mailed."""

from typing import Protocol


class Robot(Protocol):
    """A player who reads reports and writes order sheets; the same ones give the same sheets."""

    def sheet(self, report: str) -> str:
        """Return the order sheet that answers a report, as a player would type it.

        It is empty when nothing is awaited from him; a player who is awaited and wants nothing
        sends an empty line. It may remember what it read, so it is given every report once, in
        their sequence.
        """
