"""End of a game by its GM: END GAME and REVEAL."""

from collections.abc import Iterator
from dataclasses import replace

from referee.desk.base.attachments import enclosed
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.base.private_games import is_private
from referee.desk.games import export, record_file
from referee.desk.games.revealing import is_revealed, possible_from
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    log_change,
    require_gm,
    vote_on,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reports.game_archive import archive_of
from referee.desk.reports.game_end import finish
from referee.domain.gm_commands import EndGame, Reveal
from referee.domain.votes import Motion
from referee.letters.outgoing.end_notices import Revealed
from referee.letters.outgoing.local_time import Moment
from referee.rules.ruleset import UserError
from referee.store.games import agenda
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus


@command(EndGame, "END GAME", For.GM, Effect.FOR_GOOD, shown_in="gm_ending")
def end_game(context: LetterContext, _given: EndGame) -> Deed:
    """END GAME. Nobody wins unless the rules say so; all get the standings and the seed."""
    game = require_gm(context, *BEGUN, vote=vote_on(context, Motion.END, "VOTE END"))

    def end() -> str:
        what = f"The GM ended the game before turn {game.turn} was resolved."
        finish(context.desk, game)
        answer = f"{game.name} is over. All players get the standings."
        return log_change(context, game, what, answer)

    return Deed(
        f"{game.name} ends now, before turn {game.turn} is resolved. All players get the final "
        "standings and the secret number of the dice, so this cannot be undone. Messages that "
        "wait for the next report are not delivered.",
        end,
    )


@command(Reveal, "REVEAL", For.GM, Effect.FOR_GOOD, shown_in="gm_ending")
def reveal(context: LetterContext, _given: Reveal) -> Deed:
    """REVEAL, which works only once per game and cannot be undone."""
    game = _revealable(context)

    def mail() -> str:
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

    shown = ""
    if context.site.pages and not is_private(game):
        shown = (
            " Our web pages show everyone its standing and maps, and what players let them show of "
            "what they wrote."
        )
    return Deed(
        f"All players and GMs of {game.name} get its last state, the orders of every turn, what "
        "its GMs corrected and undid, the signed messages of the players who agreed, and the "
        f"diaries that are not kept private.{shown}",
        mail,
    )


def _readers(game: Game) -> Iterator[Addressing]:
    """Yield the addressing for every player, and for every GM who does not play."""
    for row in game.seats:
        if row.person is not None:
            yield Addressing(mailbox(row.person), "revealed", game=game, seat=row)
    players = {row.person_id for row in game.seats}
    for gm in game.gms:
        if gm.person_id not in players:
            yield Addressing(mailbox(gm.person), "revealed", game=game)


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
