"""Seats of a game that has ended whose players have been forgotten since."""

from typing import Final

from referee.store import Session
from referee.store.models import Game, GameStatus
from referee.store.people import former_players

FORGOTTEN: Final = "player forgotten"
"""The word for such a seat in lists. It is not vacant: it was played to the end."""


def forgotten(session: Session, game: Game) -> frozenset[int]:
    """Return the ids of the seats whose players were forgotten after the end of the game.

    Nobody leaves a seat by a command then. So a seat that had a player, whose last player did not
    leave it, has lost them since. A seat that only robots played never had a token of a player.
    When a GM replaces a player, one leaves at the moment in which the next one joins.
    """
    if game.status is not GameStatus.ENDED:
        return frozenset()
    left = former_players.last_left(session, game)
    return frozenset(
        row.id
        for row in game.seats
        if row.person_id is None and row.robot is None and row.epoch > 1
        if row.id not in left or left[row.id] <= row.joined_at
    )
