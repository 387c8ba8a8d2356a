"""Holds by GMs who play: they end by themselves, because such a GM could gain by them."""

from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.announcements import Move, proclaim, shows_move
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import load
from referee.desk.games import deadlines
from referee.domain.schedules import in_words
from referee.store import Session
from referee.store.games import agenda
from referee.store.games.agenda import AgendaTopic
from referee.store.models import LONGEST_HOLD, Game, GameStatus

LONGEST_IN_WORDS: Final = in_words(timedelta(seconds=LONGEST_HOLD))


def limit(session: Session, game: Game, now: datetime) -> None:
    """End the hold that begins *now* by itself, as soon as GMs who play held the turn too long."""
    game.hold_ends_at = now + timedelta(seconds=game.hold_seconds)
    agenda.schedule(session, game, AgendaTopic.HOLDS)


def limited(when: str) -> str:
    """Return the sentence that the hold of a GM who plays ends by itself, and why."""
    most = LONGEST_IN_WORDS
    return f"The hold ends automatically {when}: a GM who plays can hold a turn for {most} in all."


def end_in(desk: Desk, game: Game, closed: datetime) -> None:
    """End the hold of the game if its time was over at *closed*, and notify everyone."""
    end = game.hold_ends_at
    if game.status is not GameStatus.HELD or end is None:
        agenda.close(desk.session, game, AgendaTopic.HOLDS)
    elif end > closed:
        agenda.reschedule(desk.session, game, AgendaTopic.HOLDS, end)
    else:
        _go_on(desk, game)


def _go_on(desk: Desk, game: Game) -> None:
    before = game.deadline_at
    assert before is not None
    deadlines.go_on(desk.session, load(desk.session, desk.site, game), desk.now)
    what, move = "The referee resumed the game", None
    why = (
        f"A GM who plays can hold a turn for {LONGEST_IN_WORDS} in all, and turn {game.turn} has "
        "been on hold that long."
    )
    if shows_move(before, game.deadline_at):
        fact = f"{what} and moved the deadline of turn {game.turn}"
        move = Move(fact, before, "game resumed, deadline moved")
    occasion = f"held{game.turn}b{game.rollbacks}m{game.moves}"
    proclaim(desk, game, why if move else f"{what}. {why}", occasion, move=move)
