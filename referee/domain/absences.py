"""The limits on absences, so that absence is no way to play a game."""

from typing import Final

from referee.domain.days import Days
from referee.rules.ruleset import UserError
from referee.rules.wording import counted

MOST_AT_ONCE: Final = 28
"""The most days of one absence: two turns of a game with a turn every two weeks."""
MOST_IN_A_GAME: Final = 56
"""The most days one player can be away in one game, over all absences."""


def check_length(days: Days, taken: int) -> int:
    """Return the days that remain for a player after *taken* days away and the new *days*.

    Raises UserError if the absence is too long.
    """
    wanted = counted(days.count, "day")
    if days.count > MOST_AT_ONCE:
        raise UserError(
            f"You asked for {wanted}, but an absence has at most {MOST_AT_ONCE}. For longer than "
            "that, name a deputy, or write to the GM."
        )
    left = MOST_IN_A_GAME - taken
    if days.count > left:
        raise UserError(
            f"You asked for {wanted}, but only {counted(left, 'day')} of the {MOST_IN_A_GAME} that "
            f"you can be away in one game {'is' if left == 1 else 'are'} left. For longer than "
            "that, name a deputy, or write to the GM."
        )
    return left - days.count
