"""The deadline of the current turn, as STATUS, ORDERS and a report that is sent again name it."""

from datetime import datetime

from referee.desk.base.announcements import early_end_in_words
from referee.desk.games.deadlines import end_of_grace
from referee.desk.orders.readiness import early_moment
from referee.letters.outgoing.local_time import Moment
from referee.store.models import Game


def of_turn(game: Game, zone: str, now: datetime) -> str:
    """Return when the current turn of a game that goes on is due, or why it has no deadline.

    An early end is named only while a player can stop it.
    """
    due, grace, early = game.due_at, end_of_grace(game, now), early_moment(game)
    if due is None:
        by_vote = " by a vote" if game.paused_by_vote else ""
        return f"turn {game.turn}, on hold{by_vote}, so it has no deadline now."
    told = f"turn {game.turn}, deadline {Moment(due, zone)}."
    if grace is not None:
        told = (
            f"turn {game.turn}; the deadline passed on {Moment(due, zone)}, and orders count until "
            f"{Moment(grace, zone)} (grace)."
        )
    ends = early_end_in_words(early, zone, now) if early is not None and early > now else ""
    return f"{told} {ends}".rstrip()


def sentence(game: Game, zone: str, now: datetime) -> str:
    """Return the same as a sentence of its own."""
    told = of_turn(game, zone, now)
    return f"{told[0].upper()}{told[1:]}"
