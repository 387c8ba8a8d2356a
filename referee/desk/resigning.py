"""A player leaves his game for good."""

from referee.desk.visit import Visit
from referee.domain.commands import Resign
from referee.store import audit, games
from referee.store.models import GameStatus


def preview_resign(visit: Visit, _command: Resign) -> str:
    """RESIGN cannot be undone."""
    row = visit.seat()
    return f"{row.name} of {row.game.name} is given up for good; you cannot take it back."


def resign(visit: Visit, _command: Resign) -> str:
    """RESIGN: the seat is vacant; before the start there is no such seat any more."""
    row = visit.seat()
    if row.game.status is GameStatus.FORMING:
        games.remove_seat(visit.session, row)
    else:
        # Older tokens of the seat die with its epoch.
        row.person, row.epoch = None, row.epoch + 1
        # The others may not know of that seat, so the note that they read does not name it.
        audit.note(visit.session, row.game, row.name, "A player resigned.", visit.now)
    return f"{row.name} is no longer yours. Thank you for playing."
