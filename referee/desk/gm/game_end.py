"""How a GM moves a game to newer rules, ends it, and lets everybody look into it afterwards."""

from referee.desk.base.loaded_games import ruleset_of
from referee.desk.base.outbox_writer import Slip, mailbox, post
from referee.desk.games import export
from referee.desk.orders.gm_authority import BEGUN, UNDECIDED, mastered, noted, noted_quietly
from referee.desk.orders.letter_context import Visit
from referee.desk.reports.game_end import finish
from referee.domain.gm_commands import EndGame, MoveEdition, Reveal
from referee.letters.outgoing.notices import Revealed
from referee.rules.ruleset import Mistake
from referee.store.mail import mail_queries
from referee.store.models import Game, GameStatus


def preview_edition(visit: Visit, _command: MoveEdition) -> str:
    """EDITION cannot be undone."""
    game, newest = _movable(visit)
    return (
        f"{game.name} goes on by edition {newest} of its rules (it was begun by {game.edition}). "
        "This cannot be undone."
    )


def move_edition(visit: Visit, _command: MoveEdition) -> str:
    """EDITION."""
    game, newest = _movable(visit)
    game.edition = newest
    return noted(visit, game, f"The GM moved the game to edition {newest} of its rules.")


def preview_end(visit: Visit, _command: EndGame) -> str:
    """END GAME cannot be undone, because the secret of the dice is told."""
    game = mastered(visit, *BEGUN)
    return (
        f"{game.name} is over as it stands before the orders of turn {game.turn}, which is not "
        "resolved. All players get the standing and the secret number of the dice, so this cannot "
        "be undone. Messages that wait for the next report are not delivered."
    )


def end_game(visit: Visit, _command: EndGame) -> str:
    """END GAME: nobody has won unless the rules say so; all get the standing and the seed."""
    game = mastered(visit, *BEGUN)
    finish(visit.desk, game, frozenset())
    what = f"The GM ended the game before turn {game.turn} was resolved."
    return noted_quietly(visit, game, what, f"{game.name} is over. All players have the standing.")


def preview_reveal(visit: Visit, _command: Reveal) -> str:
    """REVEAL cannot be undone."""
    game = _revealable(visit)
    return f"All players of {game.name} get its last state and the orders of every turn as files."


def reveal(visit: Visit, _command: Reveal) -> str:
    """REVEAL, once."""
    game = _revealable(visit)
    files = export.files(visit.session, visit.site, game)
    notice = Revealed(game.name, game.title, tuple(file.name for file in files))
    for row in game.seats:
        if row.person is not None:
            slip = Slip(mailbox(row.person), "revealed", game=game, seat=row, files=files)
            post(visit.desk, notice, slip)
    return noted_quietly(visit, game, "The GM revealed the game.", "All players get the files.")


def _movable(visit: Visit) -> tuple[Game, str]:
    game = mastered(visit, *UNDECIDED)
    newest = ruleset_of(visit.site.rulesets, game.ruleset).info.edition
    if newest == game.edition:
        raise Mistake(f"{game.name} is of edition {newest}, and there is no newer one here.")
    return game, newest


def _revealable(visit: Visit) -> Game:
    game = visit.game()
    if game.status is not GameStatus.ENDED and visit.identity.is_master:
        raise Mistake(f"{game.name} has not ended. END GAME ends it.")
    game = mastered(visit, GameStatus.ENDED)
    if mail_queries.recipients(visit.session, game, "Revealed"):
        raise Mistake(f"The players of {game.name} have these files already.")
    return game
