"""How long a player may be away, so that nobody plays a game by being absent."""

from typing import Final

from referee.domain.days import Days, counted
from referee.rules.ruleset import UserError

MOST_AT_ONCE: Final = 28
"""So many days one absence may have: two turns of a game that is played every second week."""
MOST_IN_A_GAME: Final = 56
"""So many days a player may be away in one game, all his absences together."""


def check_length(days: Days, taken: int) -> int:
    """Return how many days are left to him who was away *taken* days and will be for *days*.

    Raises UserError when it is too long.
    """
    if days.count > MOST_AT_ONCE:
        raise UserError(
            f"These are {counted(days.count)}; an absence has at most {MOST_AT_ONCE}. For longer "
            "than that name a deputy, or write to the GM."
        )
    left = MOST_IN_A_GAME - taken
    if days.count > left:
        raise UserError(
            f"These are {counted(days.count)}, and {counted(left)} of the {MOST_IN_A_GAME} that a "
            "player may be away in one game are left to you. For longer than that name a deputy, "
            "or write to the GM."
        )
    return left - days.count
