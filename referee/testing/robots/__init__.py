"""Robots that play by mail and know only what a player is mailed."""

from typing import Protocol


class Robot(Protocol):
    """A player who reads reports and writes order sheets; the same reports give the same sheets."""

    def sheet(self, report: str) -> str:
        """Return the order sheet that answers a report, as a player would type it.

        It is empty if the game does not wait for this player. A player it waits for, and who wants
        nothing, sends an empty line. A robot can remember what it read, so it is given every report
        once, in their sequence.
        """
