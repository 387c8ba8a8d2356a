"""The deadline of the current turn in words, also in the answer to a letter for an undone turn."""

from datetime import datetime

from referee.desk.base.announcements import early_end_in_words
from referee.desk.games import deadline_words
from referee.desk.games.deadlines import end_of_grace
from referee.desk.orders.letter_context import LetterContext, how_to_order
from referee.desk.orders.readiness import early_moment
from referee.domain.sheets import source_of
from referee.letters.outgoing.local_time import Moment
from referee.rules.wording import counted
from referee.store.games import games
from referee.store.models import Game, SeatRow


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


def after_rollback(context: LetterContext, row: SeatRow, turn: int) -> str:
    """Return how the answer to a letter for an undone *turn* begins, or "" if it is for another.

    It says which turn is the current one, what is on file for that, and how to send orders for it.
    """
    told = context.rolled_back(turn)
    if not told:
        return ""
    game = row.game
    deadline = deadline_words.sentence(game, context.zone, context.now)
    return " ".join((told, deadline, _on_file(context, row), how_to_order(game)))


def _on_file(context: LetterContext, row: SeatRow) -> str:
    """Return the orders on file for the current turn of the seat's game."""
    turn = row.game.turn
    sheet = games.on_file(context.session, row, turn)
    if sheet is None:
        runs = ", so your standing orders run" if row.standing else ""
        return f"Nothing is on file for turn {turn}{runs}."
    orders = counted(len(sheet.orders), "order") if sheet.orders else "an empty sheet"
    return f"On file for turn {turn}: {orders}, from {source_of(sheet.receipt)}."
