"""Rollback of a game: the undone turns are kept, and played again."""

import re
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from referee.domain.votes import Motion
from referee.store.games import agenda, attendance, audit, games, votes
from referee.store.games.reminders import Reminded, check_reminders
from referee.store.models import Game, SeatRow, Sheet, TurnRow

CORRECTED: Final = "The GM corrected the game:"
"""How the note of a correction begins."""

ROLLED_BACK: Final = "The GM rolled the game back"
"""How the note of a rollback begins."""
_TURN: Final = re.compile(r"\bturn ([0-9]{1,9})\b", re.IGNORECASE)


def later_sheets(session: Session, game: Game, turn: int) -> list[Sheet]:
    """Return the valid sheets for turns after *turn*."""
    seats = select(SeatRow.id).where(SeatRow.game_id == game.id)
    query = select(Sheet).where(Sheet.seat_id.in_(seats), Sheet.turn > turn, Sheet.undone == 0)
    return list(session.scalars(query))


def undo(session: Session, game: Game, turn: int) -> None:
    """Roll the game back to before the orders of *turn*.

    The turns from there on, and the sheets for later ones, are kept but no longer valid; the sheets
    for *turn* itself stay on file. Raises LookupError if there is no such turn.
    """
    kept = games.turn_of(session, game, turn)
    game.rollbacks += 1
    undone = [row for row in games.turns_of(session, game) if row.number >= turn]
    for row in undone:
        row.undone = game.rollbacks
    for sheet in later_sheets(session, game, turn):
        sheet.undone = game.rollbacks
    session.flush()
    session.add(
        TurnRow(
            game_id=game.id,
            number=turn,
            edition=kept.edition,
            schema=kept.schema,
            state=kept.state,
            digest=kept.digest,
            corrections=kept.corrections,
        )
    )
    _silence(session, game, turn)
    game.turn, game.ready_at = turn, None
    check_reminders(game)
    for seat in game.seats:
        _forget(session, seat)
    agenda.schedule(session, game)
    session.flush()


def _silence(session: Session, game: Game, turn: int) -> None:
    """Take the news of the turns after *turn* out of all reports to come.

    New house rules, a new player and the like are not undone, so they are still reported.
    """
    for entry in audit.public_after(session, game, turn):
        if entry.told_turn is not None or _is_undone(entry.what, turn):
            entry.told_turn = -game.turn
    for vote in votes.untold(session, game):
        if vote.motion is Motion.EXTEND and vote.turn > turn:
            vote.told_turn = -game.turn


def _is_undone(what: str, turn: int) -> bool:
    """Return whether a note is about a turn after *turn*.

    That of a correction stays: all players were promised it, and the rollback below it undoes it.
    """
    if what.startswith((CORRECTED, ROLLED_BACK)):
        return False
    return any(int(n) > turn for n in _TURN.findall(what))


def _forget(session: Session, seat: SeatRow) -> None:
    """Reset the seat's missed turns, reminders, time bank, FINAL and WAIT."""
    session.execute(
        delete(Reminded).where(Reminded.seat_id == seat.id, Reminded.turn >= seat.game.turn)
    )
    seat.missed_all -= attendance.undo(session, seat, seat.game.turn, seat.game.rollbacks)
    seat.missed = attendance.missed_in_a_row(session, seat)
    if seat.banked_turn >= seat.game.turn:
        seat.banked_turn = 0
    seat.final_turn = seat.wait_turn = 0
