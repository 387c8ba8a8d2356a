"""Calls to the GM that a game has stored: messages to the GM, and votes."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from referee.domain.votes import Motion
from referee.store.games.press import Press
from referee.store.games.votes import Vote
from referee.store.models import Game, InboxLetter

GM_NUMBER = 0
"""The number of the GM among the recipients of a message."""


def were_made(session: Session, game: Game, turn: int, after: datetime, until: datetime) -> bool:
    """Return whether a player called the GM by *turn*, at a moment from *after* to *until*."""
    opened = select(func.count()).where(
        Vote.game_id == game.id,
        Vote.motion != Motion.GM,
        Vote.turn <= turn,
        Vote.opened_at > after,
        Vote.opened_at <= until,
    )
    if session.scalar(opened):
        return True
    reached = func.coalesce(Press.due_at, InboxLetter.arrived_at)
    written = (
        select(Press.recipients)
        .join(InboxLetter, InboxLetter.id == Press.letter_id)
        .where(Press.game_id == game.id, Press.sender != GM_NUMBER, Press.turn <= turn)
        .where(Press.delivered_turn.is_not(None))
        .where(reached > after, reached <= until)
    )
    return any(GM_NUMBER in recipients for recipients in session.scalars(written))
