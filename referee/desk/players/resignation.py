"""RESIGN: a player leaves a game for good."""

from referee.desk.games import revealing
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import departure
from referee.domain.commands import Resign
from referee.rules.ruleset import UserError
from referee.store.models import GameStatus, SeatRow


def preview_resign(context: LetterContext, _command: Resign) -> str:
    """Return the preview of RESIGN, which is final. Raises UserError as RESIGN does."""
    row = _held(context)
    ends = f" {row.game.name} then ends." if row.game.for_one else ""
    return f"You give up {row.name} of {row.game.name} for good and cannot take this back.{ends}"


def resign(context: LetterContext, _command: Resign) -> str:
    """Handle RESIGN. The seat becomes vacant; before the start it is removed.

    Raises UserError if the game has ended.
    """
    row = _held(context)
    game, name = row.game, row.name
    person = row.person
    leave = departure.leave_game_for_one if game.for_one else departure.leave_seat
    calendar = leave(context.desk, row)
    if calendar is not None:
        context.letters.append(calendar)
    if game.for_one:
        return f"{game.name} has ended. Thank you for playing."
    diary = revealing.of_leaver(context.session, game, person) if person is not None else ""
    return f"{name} is no longer yours. Thank you for playing. {diary}".rstrip()


def _held(context: LetterContext) -> SeatRow:
    """Return the seat to give up. Raises UserError if its game has ended."""
    row = context.seat()
    if row.game.status is GameStatus.ENDED:
        raise UserError(f"{row.game.name} has ended, so there is nothing to give up.")
    return row
