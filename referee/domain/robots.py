"""Words about a seat without a player."""

from referee.rules.extras import Strength


def without_player(robot: Strength | None) -> str:
    """Return the word for a seat that nobody or this robot plays: ``played by a hard robot``."""
    return "vacant" if robot is None else f"played by {called(robot)}"


def called(strength: Strength) -> str:
    """Return a robot of this strength in words: ``an easy robot``."""
    return f"{'an' if strength is Strength.EASY else 'a'} {strength.value} robot"
