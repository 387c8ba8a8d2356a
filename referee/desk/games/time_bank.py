"""The time bank: extra time for a turn, once per seat, before the seat's first missed turn."""

from datetime import timedelta

from referee.desk.base.announcements import Move, proclaim
from referee.desk.base.desk import Desk
from referee.desk.games import deadlines, missing_orders
from referee.store.models import Game
from referee.store.people import absences


def wait_for_first_misses(desk: Desk, game: Game) -> bool:
    """Move the passed deadline if seats would miss their first turn; return whether it moved.

    All seats without orders use their bank at the same time, so that the turn does not wait for one
    after the other. Players learn from the notice that orders are missing, but not whose.
    """
    if not game.bank_seconds or game.deadline_at is None or game.ready_at is not None:
        return False
    due = game.deadline_at
    without_orders = [
        row
        for row in missing_orders.owing(desk.session, desk.site, game)
        # A player who announced an absence does not miss the turn, so no deadline moves for it.
        if not (row.missed_all or row.banked_turn or row.standing)
        and absences.at(desk.session, row, due) is None
    ]
    if not without_orders:
        return False
    for row in without_orders:
        row.banked_turn = game.turn
    span = timedelta(seconds=game.bank_seconds)
    later = deadlines.land(game, due, span)
    if later <= desk.now:
        later = deadlines.land(game, desk.now, span)
    deadlines.move(desk.session, game, later, desk.now)
    move = Move(f"The time bank moved the deadline of turn {game.turn}", due)
    why = (
        f"Orders are missing from somebody who has not missed a turn before, so turn {game.turn} "
        "waits. Each seat gets this time once."
    )
    proclaim(desk, game, why, f"bank{game.turn}b{game.rollbacks}", move=move)
    return True
