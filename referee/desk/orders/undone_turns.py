"""Letters for a turn that a rollback undid, such as replies to its report."""

from referee.desk.orders.letter_context import LetterContext
from referee.store.games import games
from referee.store.models import Game


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
