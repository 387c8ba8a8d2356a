"""ELIMINATE: a seat leaves a game that goes on without it, and can be brought back."""

from referee.desk.base.attachments import taken_off
from referee.desk.games import vacancies
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    NoChange,
    announce_and_log,
    notify_seat,
    refuse_player,
    require_gm,
    seat_called,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.readiness import end_early, waited_for
from referee.desk.reports import vote_text
from referee.desk.reports.turn_reports import report_anew
from referee.domain.gm_commands import Eliminate, Reinstate
from referee.domain.house_rules import early_wait
from referee.domain.schedules import in_words
from referee.rules.ruleset import UserError
from referee.store.games import agenda, votes
from referee.store.models import Game, SeatRow


@command(Eliminate, "ELIMINATE", For.GM, Effect.CONFIRMED, shown_in="gm_eliminating")
def eliminate(context: LetterContext, given: Eliminate) -> Deed:
    """ELIMINATE. The report names no seat, because some players may not know it."""
    row = _in_play(context, given.seat)
    game, is_last_awaited = row.game, _is_last_awaited(context, row)

    def take_out() -> str:
        row.eliminated, row.offered_at = True, None
        row.missed = row.final_turn = row.wait_turn = 0
        agenda.schedule(context.session, game)
        if is_last_awaited:
            end_early(context.session, game, context.now)
        text = (
            f"The GM eliminated {row.name} from {game.name}. You no longer need to send orders. "
            "After each turn you still get what all players can know, and at the end the final "
            "standings."
        )
        notify_seat(context, row, text, taken_off(context.site, row, context.now))
        hidden = f"{row.name} is eliminated."
        return announce_and_log(context, game, hidden, "A seat is eliminated.")

    ready = _ready_in_words(game) if is_last_awaited else ""
    votes_left = vote_text.without(votes.running(context.session, game), row)
    says = (
        f"{row.name} is eliminated from {game.name}: turns no longer wait for it, and it gets "
        "default orders. Its player is notified at once. From now on they get only what all "
        f"players can know, and the final standings. ELIMINATE {row.name} UNDO brings the seat "
        f"back.{ready} {votes_left}"
    ).rstrip()
    return Deed(says, take_out)


@command(Reinstate, "ELIMINATE", For.GM, Effect.CONFIRMED, shown_in="gm_eliminating")
def reinstate(context: LetterContext, given: Reinstate) -> Deed:
    """ELIMINATE with UNDO. The player gets the current report at once."""
    game = require_gm(context, *BEGUN)
    row = seat_called(game, given.seat)
    if not row.eliminated:
        raise NoChange(f"{row.name} is not eliminated.")

    def bring_back() -> str:
        row.eliminated, game.ready_at = False, None
        game.moves += 1
        agenda.schedule(context.session, game)
        notify_seat(context, row, f"The GM brought {row.name} back into {game.name}.")
        if row.person is not None:
            serial = f"reinstated{context.row.id}s{row.number}"
            report_anew(context.desk, context.playing(), row, serial)
        hidden = f"{row.name} is in the game again."
        return announce_and_log(context, game, hidden, "A seat is in the game again.")

    return Deed(
        f"{row.name} is in {game.name} again, in its current position. Its player is notified at "
        f"once, gets the current report, and has to send orders for turn {game.turn}.",
        bring_back,
    )


def _in_play(context: LetterContext, name: str) -> SeatRow:
    game = require_gm(context, *BEGUN)
    row = seat_called(game, name)
    if row.eliminated:
        raise NoChange(f"{row.name} is already eliminated from {game.name}.")
    if sum(not other.eliminated for other in game.seats) == 1:
        raise UserError(f"{row.name} is the last seat in play. END GAME ends {game.name}.")
    if not vacancies.is_available(context.session, row):
        # A rival would get default orders, and have no vote.
        refuse_player(context, game, f"eliminate {row.name}, which has an active player")
    return row


def _ready_in_words(game: Game) -> str:
    wait = early_wait(game.options_of_house)
    when = f"{in_words(wait)} later" if wait else "at once"
    return f" All others are ready, so the turn is resolved {when}."


def _is_last_awaited(context: LetterContext, row: SeatRow) -> bool:
    """Return whether this seat is the only one that the turn still waits for."""
    table = context.playing()
    waited = waited_for(table)
    ready = any(other.final_turn == table.game.turn for other in table.game.seats)
    return waited == [row] and ready
