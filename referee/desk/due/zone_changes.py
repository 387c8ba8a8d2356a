"""New time zone data: a deadline that is set keeps its local hour."""

from referee.desk.base.announcements import Move, proclaim
from referee.desk.base.desk import Desk
from referee.desk.games import deadlines
from referee.letters.outgoing.local_time import Moment
from referee.parsing.schedules import read_schedule
from referee.store.games import due_games, games


def keep_hours(desk: Desk) -> list[str]:
    """Move the deadlines ahead that new zone data shifted by the local clock; return the games.

    Each is moved in the caller's transaction, and everyone in the game is notified once.
    """
    moved = []
    for game in due_games.games_due_after(desk.session, desk.now):
        kept = deadlines.kept_hour(game, desk.now)
        if kept is None:
            continue
        # A worker that has claimed the game must check its deadline again.
        games.revoke_claim(games.lock(desk.session, game))
        assert game.deadline_at is not None
        zone = read_schedule(game.schedule).zone
        clocks = f"The clocks of {zone} change by a new rule"
        fact = f"{clocks}, so the referee moved the deadline of turn {game.turn}"
        move = Move(fact, game.deadline_at)
        deadlines.move(desk.session, game, kept, desk.now)
        note = f"{fact} to {Moment(kept, zone)}."
        proclaim(desk, game, "", f"zone{int(kept.timestamp())}", note, move)
        moved.append(game.name)
    return moved
