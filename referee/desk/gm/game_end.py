"""End of a game by its GM: EDITION, END GAME and REVEAL."""

from collections.abc import Iterator
from dataclasses import replace

from referee.desk.base.attachments import enclosed
from referee.desk.base.loaded_games import ruleset_of
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.base.private_games import is_private
from referee.desk.games import export, record_file
from referee.desk.games.revealing import is_revealed, possible_from
from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    announce_change,
    log_change,
    require_gm,
    vote_on,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reports.game_archive import archive_of
from referee.desk.reports.game_end import finish
from referee.domain.gm_commands import EndGame, MoveEdition, Reveal
from referee.domain.votes import Motion
from referee.letters.outgoing.end_notices import Revealed
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.store.games import agenda
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus


def preview_edition(context: LetterContext, _command: MoveEdition) -> str:
    """Return the preview of EDITION, which cannot be undone."""
    game, newest = _movable(context)
    return (
        f"{game.name} continues with edition {newest} of its rules (now: {game.edition}). "
        "This cannot be undone."
    )


def move_edition(context: LetterContext, _command: MoveEdition) -> str:
    """Handle EDITION."""
    game, newest = _movable(context)
    game.edition = newest
    return announce_change(
        context, game, f"The GM moved the game to edition {newest} of its rules."
    )


def preview_end(context: LetterContext, _command: EndGame) -> str:
    """Return the preview of END GAME. It cannot be undone, because it reveals the dice seed."""
    game = _game_to_end(context)
    return (
        f"{game.name} ends now, before turn {game.turn} is resolved. All players get the final "
        "standings and the secret number of the dice, so this cannot be undone. Messages that "
        "wait for the next report are not delivered."
    )


def end_game(context: LetterContext, _command: EndGame) -> str:
    """Handle END GAME. Nobody wins unless the rules say so; all get the standings and the seed."""
    game = _game_to_end(context)
    what = f"The GM ended the game before turn {game.turn} was resolved."
    finish(context.desk, game)
    return log_change(context, game, what, f"{game.name} is over. All players get the standings.")


def preview_reveal(context: LetterContext, _command: Reveal) -> str:
    """Return the preview of REVEAL, which cannot be undone."""
    game = _revealable(context)
    shown = ""
    if context.site.pages and not is_private(game):
        shown = (
            " Our web pages show everyone its standing and maps, and what players let them show of "
            "what they wrote."
        )
    return (
        f"All players and GMs of {game.name} get its last state, the orders of every turn, what "
        "its GMs corrected and undid, the signed messages of the players who agreed, and the "
        "diaries that are not kept private."
        f"{shown}"
    )


def reveal(context: LetterContext, _command: Reveal) -> str:
    """Handle REVEAL, which works only once per game."""
    game = _revealable(context)
    archive = archive_of(context.session, game)
    whole = enclosed(f"{game.name.lower()}-archive.txt", archive.text)
    files = (*whole.files, *export.files(context.session, context.site, game))
    files += record_file.enclosed(context.session, game)
    names = tuple(file.name for file in files)
    notice = Revealed(
        game.name,
        game.title,
        archive.turns,
        archive.messages,
        archive.entries,
        whole.text,
        names,
        left_out=whole.is_left_out,
    )
    for addressing in _readers(game):
        post(context.desk, notice, replace(addressing, files=files))
    # The book comes again, now with messages and diaries.
    agenda.schedule(context.session, game, AgendaTopic.BOOK)
    what = "The GM revealed the game."
    return log_change(context, game, what, "All players and GMs get the files.")


def _readers(game: Game) -> Iterator[Addressing]:
    """Yield the addressing for every player, and for every GM who does not play."""
    for row in game.seats:
        if row.person is not None:
            yield Addressing(mailbox(row.person), "revealed", game=game, seat=row)
    players = {row.person_id for row in game.seats}
    for gm in game.gms:
        if gm.person_id not in players:
            yield Addressing(mailbox(gm.person), "revealed", game=game)


def _game_to_end(context: LetterContext) -> Game:
    return require_gm(context, *BEGUN, vote=vote_on(context, Motion.END, "VOTE END"))


def _movable(context: LetterContext) -> tuple[Game, str]:
    game = require_gm(context, *UNDECIDED)
    newest = ruleset_of(context.site.rulesets, game.ruleset).info.edition
    if newest == game.edition:
        raise UserError(f"{game.name} already uses edition {newest}, the newest one here.")
    return game, newest


def _revealable(context: LetterContext) -> Game:
    game = context.game()
    if game.status is not GameStatus.ENDED and context.identity.is_gm:
        raise UserError(f"{game.name} has not ended. END GAME ends it.")
    game = require_gm(context, GameStatus.ENDED)
    if is_revealed(context.session, game):
        raise UserError(f"The players of {game.name} already have these files.")
    begins = possible_from(context.session, game)
    if context.now < begins:
        raise UserError(
            f"Players of {game.name} still choose what others read of them. Send REVEAL on "
            f"{Moment(begins, context.zone)} or later, or as soon as every player has chosen."
        )
    return game
