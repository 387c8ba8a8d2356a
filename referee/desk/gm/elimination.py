"""A seat is taken out of a game that goes on without it, and brought back."""

from referee.desk.orders.gm_authority import (
    BEGUN,
    mastered,
    noted,
    noted_quietly,
    seat_called,
    tell_seat,
)
from referee.desk.orders.letter_context import Visit
from referee.desk.orders.readiness import waited_for
from referee.desk.reports.turn_reports import report_anew
from referee.domain.gm_commands import Eliminate, Reinstate
from referee.rules.ruleset import Mistake
from referee.store.models import SeatRow


def preview_eliminate(visit: Visit, command: Eliminate) -> str:
    """ELIMINATE is undone by ELIMINATE with UNDO."""
    row = _in_play(visit, command.seat)
    ready = " All others are ready, so the turn is resolved at once." if _frees(visit, row) else ""
    return (
        f"{row.name} is out of {row.game.name}: nobody waits for its orders, the rules order for "
        "it, and its player is told at once. From now on he gets only what everybody may know, "
        f"and the final standing. ELIMINATE {row.name} UNDO brings it back.{ready}"
    )


def eliminate(visit: Visit, command: Eliminate) -> str:
    """ELIMINATE: the player is told at once; the report names no seat, for some may not know it."""
    row = _in_play(visit, command.seat)
    game, frees = row.game, _frees(visit, row)
    row.eliminated, row.offered_at = True, None
    row.missed = row.final_turn = row.wait_turn = 0
    if frees:
        game.ready_at = visit.now
    told = (
        f"{row.name} is out of {game.name}: the GM decided so. You need send no orders any more. "
        "You still get what everybody may know of each turn, and the final standing."
    )
    tell_seat(visit, row, told)
    noted_quietly(visit, game, f"{row.name} is out of the game.", "")
    return noted(visit, game, "A seat is out of the game.")


def preview_reinstate(visit: Visit, command: Reinstate) -> str:
    """ELIMINATE with UNDO is undone by ELIMINATE."""
    row = _out_of_play(visit, command.seat)
    return (
        f"{row.name} is in {row.game.name} again, as the game stands. Its player is told at once, "
        f"gets his report, and owes orders for turn {row.game.turn}."
    )


def reinstate(visit: Visit, command: Reinstate) -> str:
    """ELIMINATE with UNDO: the player is told at once and gets his report."""
    row = _out_of_play(visit, command.seat)
    game = row.game
    row.eliminated, game.ready_at = False, None
    tell_seat(visit, row, f"{row.name} is in {game.name} again: the GM decided so.")
    if row.person is not None:
        serial = f"reinstated{visit.row.id}s{row.number}"
        report_anew(visit.desk, visit.playing(), row, serial)
    noted_quietly(visit, game, f"{row.name} is in the game again.", "")
    return noted(visit, game, "A seat is in the game again.")


def _in_play(visit: Visit, name: str) -> SeatRow:
    game = mastered(visit, *BEGUN)
    row = seat_called(game, name)
    if row.eliminated:
        raise Mistake(f"{row.name} is out of {game.name} already.")
    if sum(not other.eliminated for other in game.seats) == 1:
        raise Mistake(f"{row.name} is the last seat in play. END GAME ends {game.name}.")
    return row


def _out_of_play(visit: Visit, name: str) -> SeatRow:
    row = seat_called(mastered(visit, *BEGUN), name)
    if not row.eliminated:
        raise Mistake(f"{row.name} is in the game.")
    return row


def _frees(visit: Visit, row: SeatRow) -> bool:
    """Say whether this seat is the only one that the turn still waits for."""
    table = visit.playing()
    waited = waited_for(table)
    ready = any(other.final_turn == table.game.turn for other in table.game.seats)
    return waited == [row] and ready
