"""Holds by GMs who play: they end by themselves, because such a GM could gain by them."""

from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.announcements import proclaim
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import load
from referee.desk.games import deadlines
from referee.domain.schedules import in_words
from referee.store import Session
from referee.store.games import agenda
from referee.store.games.agenda import AgendaTopic
from referee.store.models import LONGEST_HOLD, Game, GameStatus

LONGEST_IN_WORDS: Final = in_words(timedelta(seconds=LONGEST_HOLD))


def limit(session: Session, game: Game, now: datetime) -> datetime:
    """End the hold that begins *now* by itself, as soon as GMs who play held the turn too long.

    Returns when.
    """
    game.hold_ends_at = now + timedelta(seconds=game.hold_seconds)
    agenda.schedule(session, game, AgendaTopic.HOLDS)
    return game.hold_ends_at


def end_in(desk: Desk, game: Game) -> None:
    """End the hold of the game if its time is over, and notify everyone."""
    end = game.hold_ends_at
    if game.status is not GameStatus.HELD or end is None:
        agenda.close(desk.session, game, AgendaTopic.HOLDS)
    elif end > desk.now:
        agenda.reschedule(desk.session, game, AgendaTopic.HOLDS, end)
    else:
        deadlines.go_on(desk.session, load(desk.session, desk.site, game), desk.now)
        what = (
            f"The game goes on: a GM who plays can hold a turn for {LONGEST_IN_WORDS} in all, and "
            f"turn {game.turn} has been on hold that long."
        )
        occasion = f"held{game.turn}b{game.rollbacks}m{game.moves}"
        proclaim(desk, game, what, occasion, has_moved=True)
