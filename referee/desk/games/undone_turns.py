"""Letters for a turn that a rollback undid, such as replies to its report."""

from referee.desk.games import deadline_words
from referee.desk.orders.letter_context import LetterContext
from referee.domain.sheets import source_of
from referee.rules.wording import counted
from referee.store.games import games
from referee.store.models import Game, SeatRow


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


def rolled_back(context: LetterContext, turn: int) -> str:
    """Return that the letter is for a *turn* that a rollback undid, or "".

    Only if nothing but the subject names the turn: a heading names it on purpose.
    """
    game = context.game()
    if turn <= game.turn or turn != context.identity.inherited_turn:
        return ""
    if not games.was_undone(context.session, game, turn):
        return ""
    return (
        f"The GM rolled {game.name} back to an earlier turn. The current turn is {game.turn}, but "
        f"the subject of your email names turn {turn}, which was undone."
    )


def how_to_order(game: Game) -> str:
    """Return how a reply to any of our emails is for the current turn."""
    return f"{game.name} T{game.turn} on the first line sends orders for turn {game.turn}."


def _on_file(context: LetterContext, row: SeatRow) -> str:
    """Return what is on file for the current turn of the seat's game."""
    turn = row.game.turn
    sheet = games.on_file(context.session, row, turn)
    if sheet is None:
        runs = ", so your standing orders run" if row.standing else ""
        return f"Nothing is on file for turn {turn}{runs}."
    orders = counted(len(sheet.orders), "order") if sheet.orders else "an empty sheet"
    return f"On file for turn {turn}: {orders}, from {source_of(sheet.receipt)}."
