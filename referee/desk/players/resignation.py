"""RESIGN: a player leaves a game for good."""

from referee.desk.games import revealing
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import departure
from referee.domain.commands import Resign
from referee.store.models import GameStatus


def preview_resign(context: LetterContext, _command: Resign) -> str:
    """Return the preview of RESIGN, which is final."""
    row = context.seat()
    ends = f" {row.game.name} then ends." if row.game.for_one else ""
    return f"You give up {row.name} of {row.game.name} for good and cannot take this back.{ends}"


def resign(context: LetterContext, _command: Resign) -> str:
    """Handle RESIGN. The seat becomes vacant; before the start it is removed."""
    row = context.seat()
    game, name = row.game, row.name
    if game.status is GameStatus.ENDED:
        return f"{game.name} has ended, so there is nothing to give up."
    person = row.person
    leave = departure.leave_game_for_one if game.for_one else departure.leave_seat
    calendar = leave(context.desk, row)
    if calendar is not None:
        context.letters.append(calendar)
    if game.for_one:
        return f"{game.name} has ended. Thank you for playing."
    diary = revealing.of_leaver(context.session, game, person) if person is not None else ""
    return f"{name} is no longer yours. Thank you for playing. {diary}".rstrip()
