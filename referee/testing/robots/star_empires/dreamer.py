"""A robot that begins like everybody, and one day writes no more."""

from typing import ClassVar, Final

from referee.testing.robots.star_empires.reading import SeenGame
from referee.testing.robots.star_empires.robot import Robot
from referee.testing.robots.star_empires.sheet import Sheet

_LAST_TURN: Final = 11


class Dreamer(Robot):
    """Its empire falls abandoned in the middle of the game."""

    warship: ClassVar[str] = "frigate"
    greeting: ClassVar[str] = "Is it my turn already?"

    def play(self, game: SeenGame) -> Sheet:
        """Play as long as it lasts; afterwards the sheet stays empty."""
        return super().play(game) if game.turn <= _LAST_TURN else Sheet(game)
