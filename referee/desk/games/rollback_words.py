"""How the answer to a letter for an undone turn begins."""

from referee.desk.games import deadline_words
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.undone_turns import how_to_order, rolled_back
from referee.domain.sheets import source_of
from referee.rules.wording import counted
from referee.store.games import games
from referee.store.models import SeatRow


def at_top(context: LetterContext, row: SeatRow, turn: int) -> str:
    """Return how the answer to a letter for an undone *turn* begins, or "" if it is for another.

    It says which turn is the current one, what is on file for that, and how to send orders for it.
    """
    told = rolled_back(context, turn)
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
