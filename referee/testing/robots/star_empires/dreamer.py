"""A robot that begins like everybody, and one day writes no more."""

from typing import ClassVar, Final

from referee.testing.robots.star_empires.reading import read_report
from referee.testing.robots.star_empires.robot import Robot

_LAST_TURN: Final = 11


class Dreamer(Robot):
    """Its empire falls abandoned in the middle of the game."""

    greeting: ClassVar[str] = "Is it my turn already?"

    def sheet(self, report: str) -> str:
        """Answer as long as it lasts; afterwards nothing."""
        return super().sheet(report) if self.is_awake(report) else ""

    def orders(self, report: str) -> str:
        """Return orders as long as it lasts; afterwards none."""
        return super().orders(report) if self.is_awake(report) else ""

    def is_awake(self, report: str) -> bool:
        """Return whether it still reads its letters."""
        return read_report(report).turn <= _LAST_TURN
