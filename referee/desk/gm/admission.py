"""Admission to a game by its GM: CODE."""

from referee.desk.base import private_games
from referee.desk.orders.gm_authority import UNDECIDED, log_change, require_gm
from referee.desk.orders.letter_context import LetterContext
from referee.domain.gm_commands import NewCode, ShowCode
from referee.rules.ruleset import UserError
from referee.store.models import Game


def show_code(context: LetterContext, _command: ShowCode) -> str:
    """Handle CODE."""
    game = _private(context)
    return f"Players join with this line: {private_games.join_line(context.site, game)}"


def preview_new_code(context: LetterContext, _command: NewCode) -> str:
    """Return the preview of CODE NEW, which cannot be undone."""
    game = _private(context)
    return f"{game.name} gets another code, and nobody can join with the old one."


def new_code(context: LetterContext, _command: NewCode) -> str:
    """Handle CODE NEW."""
    game = _private(context)
    game.code_number += 1
    log_change(context, game, "The GM changed the code of the game.", "")
    return show_code(context, ShowCode())


def _private(context: LetterContext) -> Game:
    game = require_gm(context, *UNDECIDED)
    if not private_games.is_private(game):
        raise UserError(f"{game.name} has no code. OPTION private=yes makes it private.")
    return game
