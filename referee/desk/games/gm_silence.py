"""Silent GMs: none of them has answered a call of the players for two turns."""

from datetime import datetime, timedelta
from typing import Final

from referee.store import Session
from referee.store.games import agenda, votes
from referee.store.models import Game, Person

_TURNS: Final = 2
"""How many turns are resolved before a GM who does not answer is silent."""
_DAYS: Final = timedelta(days=3)
"""How long a GM can answer at least, however fast turns are resolved."""


def hear(session: Session, game: Game, person: Person, now: datetime) -> None:
    """Record that a GM has written about the game, which ends a vote for another one."""
    for gm in game.gms:
        if gm.person_id == person.id:
            gm.heard_at = now
    agenda.schedule(session, game)


def is_silent(session: Session, game: Game, now: datetime) -> bool:
    """Return whether no GM has written since a call that came two turns and three days ago.

    A call is a message to the GM, or a vote.
    """
    heard = max((gm.heard_at or gm.since for gm in game.gms), default=game.created_at)
    return votes.called_gm(session, game, game.turn - _TURNS, heard, now - _DAYS)
