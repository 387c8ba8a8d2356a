"""Stalls: a game that fails is retried after growing delays until the fault is fixed."""

from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.announcements import REFEREE
from referee.store import Session
from referee.store.games import audit
from referee.store.models import Game

FIRST_REST: Final = timedelta(minutes=1)
LONGEST_REST: Final = timedelta(hours=1)


def rest(game: Game, now: datetime) -> datetime:
    """Delay the next attempt, twice as long as the last time; return the moment of the attempt."""
    game.stalls += 1
    game.stalled_until = now + min(FIRST_REST * 2 ** min(game.stalls - 1, 16), LONGEST_REST)
    return game.stalled_until


def recover(session: Session, game: Game, what: str, now: datetime) -> None:
    """Clear the stall. If there was one, the next report says that *what* was late."""
    if game.stalls:
        note = f"{what} late, because of a fault on our side."
        audit.note(session, game, REFEREE, note, now, public=True)
    game.stalls, game.stalled_until = 0, None
