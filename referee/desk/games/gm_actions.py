"""Lines with which a GM can reply about missing orders and vacant seats."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.games import missing_orders, vacancies
from referee.domain.deadlines import room
from referee.store.models import Game, GameStatus

_DAY: Final = timedelta(days=1)


def lines(desk: Desk, game: Game) -> Iterator[str]:
    """Yield the commands that a GM of the game can send now, each with its effect.

    They do not show which seats still have to send orders: not every GM can know that.
    """
    if game.status is not GameStatus.RUNNING:
        return
    if missing_orders.within_reach(desk, game):
        yield "REMIND: reminds the players who still have to send orders."
    if _left_to_extend(game) >= _DAY:
        yield "EXTEND 1 day: gives everyone more time for the turn."
    for row in game.seats:
        is_played = row.robot is not None or row.offered_at is not None
        if not is_played and vacancies.is_available(desk.session, row):
            yield f"STANDBY OFFER {row.name}: offers the seat to standbys."


def _left_to_extend(game: Game) -> timedelta:
    cap, extended = game.extension_seconds, game.extended_seconds
    return room(timedelta(seconds=cap), timedelta(seconds=extended))
