"""A robot that stops sending orders in the middle of the game."""

from typing import ClassVar, Final

from referee.testing.robots.star_empires.reading import read_report
from referee.testing.robots.star_empires.robot import Robot

_LAST_TURN: Final = 11


class Dreamer(Robot):
    """A robot whose empire is abandoned in the middle of the game."""

    greeting: ClassVar[str] = "Is it my turn already?"

    def sheet(self, report: str) -> str:
        """Return a sheet while it is awake, afterwards ""."""
        return super().sheet(report) if self.is_awake(report) else ""

    def orders(self, report: str) -> str:
        """Return orders while it is awake, afterwards ""."""
        return super().orders(report) if self.is_awake(report) else ""

    def is_awake(self, report: str) -> bool:
        """Return whether it still plays."""
        return read_report(report).turn <= _LAST_TURN
