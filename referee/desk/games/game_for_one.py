"""A game of one person against robots: when its player has left it, and its quiet end."""

from datetime import datetime

from referee.store import Session
from referee.store.games import agenda, games
from referee.store.models import Game


def is_left(session: Session, game: Game) -> bool:
    """Return whether the deadline of a game for one passed without orders of its player."""
    if not game.for_one or game.ready_at is not None:
        return False
    played = (row for row in game.seats if row.person is not None)
    return not any(games.sheet_of(session, row, game.turn) for row in played)


def end(session: Session, game: Game, now: datetime) -> None:
    """End the game without an email. The answer to a later email about it says so."""
    games.end(game, now)
    agenda.schedule(session, game)
