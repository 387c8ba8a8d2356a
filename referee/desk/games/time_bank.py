"""The time bank: once for each seat, a turn waits that the seat would be the first to miss."""

from datetime import timedelta

from referee.desk.base.announcements import proclaim
from referee.desk.base.desk import Desk
from referee.desk.games import deadlines, reminders
from referee.domain.schedules import in_words
from referee.store.models import Game, SeatRow
from referee.store.people import absences


def wait_for_first_misses(desk: Desk, game: Game) -> bool:
    """Move the deadline that has passed if seats would miss their first turn, and return whether
    it was.

    All who are silent spend their bank together, so that the turn does not wait for one after the
    other. Whose orders are missing nobody is told but by his own reminder.
    """
    if not game.bank_seconds or game.deadline_at is None or game.ready_at is not None:
        return False
    due = game.deadline_at
    silent = [
        row
        for row in reminders.owing(desk.session, desk.site, game)
        # Who said that he is away has missed nothing, and no deadline moves for him.
        if _has_time(row) and absences.at(desk.session, row, due) is None
    ]
    if not silent:
        return False
    for row in silent:
        row.banked_turn = game.turn
    span = timedelta(seconds=game.bank_seconds)
    later = due + span
    deadlines.move(desk.session, game, later if later > desk.now else desk.now + span, desk.now)
    what = (
        f"Turn {game.turn} waits {in_words(span)}, because orders are missing of somebody who has "
        "missed no turn before. Each seat has that time once."
    )
    proclaim(desk, game, what, f"bank{game.turn}b{game.rollbacks}")
    return True


def _has_time(row: SeatRow) -> bool:
    return not (row.missed_all or row.banked_turn or row.standing)
