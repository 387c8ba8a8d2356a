"""ELIMINATE: a seat is taken out of a game that goes on without it, and brought back."""

from referee.desk.orders.gm_authority import (
    BEGUN,
    announce_change,
    log_change,
    require_gm,
    seat_called,
    tell_seat,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.readiness import waited_for
from referee.desk.reports.turn_reports import report_anew
from referee.domain.gm_commands import Eliminate, Reinstate
from referee.rules.ruleset import UserError
from referee.store.games import agenda
from referee.store.models import SeatRow


def preview_eliminate(context: LetterContext, command: Eliminate) -> str:
    """Return the preview of ELIMINATE. ELIMINATE with UNDO undoes it."""
    row = _in_play(context, command.seat)
    ready = (
        " All others are ready, so the turn is resolved at once."
        if _is_last_awaited(context, row)
        else ""
    )
    return (
        f"{row.name} is out of {row.game.name}: nobody waits for its orders, the rules order for "
        "it, and its player is told at once. From now on he gets only what everybody may know, "
        f"and the final standing. ELIMINATE {row.name} UNDO brings it back.{ready}"
    )


def eliminate(context: LetterContext, command: Eliminate) -> str:
    """Handle ELIMINATE. The report names no seat, because some players may not know it."""
    row = _in_play(context, command.seat)
    game, is_last_awaited = row.game, _is_last_awaited(context, row)
    row.eliminated, row.offered_at = True, None
    row.missed = row.final_turn = row.wait_turn = 0
    agenda.stir(context.session, game)
    if is_last_awaited:
        game.ready_at = context.now
    text = (
        f"{row.name} is out of {game.name}: the GM decided so. You need send no orders any more. "
        "You still get what everybody may know of each turn, and the final standing."
    )
    tell_seat(context, row, text)
    log_change(context, game, f"{row.name} is out of the game.", "")
    return announce_change(context, game, "A seat is out of the game.")


def preview_reinstate(context: LetterContext, command: Reinstate) -> str:
    """Return the preview of ELIMINATE with UNDO. ELIMINATE undoes it."""
    row = _out_of_play(context, command.seat)
    return (
        f"{row.name} is in {row.game.name} again, as the game stands. Its player is told at once, "
        f"gets his report, and owes orders for turn {row.game.turn}."
    )


def reinstate(context: LetterContext, command: Reinstate) -> str:
    """Handle ELIMINATE with UNDO. The player gets the current report at once."""
    row = _out_of_play(context, command.seat)
    game = row.game
    row.eliminated, game.ready_at = False, None
    agenda.stir(context.session, game)
    tell_seat(context, row, f"{row.name} is in {game.name} again: the GM decided so.")
    if row.person is not None:
        serial = f"reinstated{context.row.id}s{row.number}"
        report_anew(context.desk, context.playing(), row, serial)
    log_change(context, game, f"{row.name} is in the game again.", "")
    return announce_change(context, game, "A seat is in the game again.")


def _in_play(context: LetterContext, name: str) -> SeatRow:
    game = require_gm(context, *BEGUN)
    row = seat_called(game, name)
    if row.eliminated:
        raise UserError(f"{row.name} is out of {game.name} already.")
    if sum(not other.eliminated for other in game.seats) == 1:
        raise UserError(f"{row.name} is the last seat in play. END GAME ends {game.name}.")
    return row


def _out_of_play(context: LetterContext, name: str) -> SeatRow:
    row = seat_called(require_gm(context, *BEGUN), name)
    if not row.eliminated:
        raise UserError(f"{row.name} is in the game.")
    return row


def _is_last_awaited(context: LetterContext, row: SeatRow) -> bool:
    """Return whether this seat is the only one that the turn still waits for."""
    table = context.playing()
    waited = waited_for(table)
    ready = any(other.final_turn == table.game.turn for other in table.game.seats)
    return waited == [row] and ready
