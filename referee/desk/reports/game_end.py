"""The end of a game: its verdict, and who is notified."""

from datetime import datetime

from referee.desk.base.loaded_games import lay
from referee.desk.base.site import House
from referee.desk.reports import turn_reports
from referee.rules.ruleset import Seat, Verdict
from referee.store import Session
from referee.store.models import Game, GameStatus


def finish(
    session: Session, house: House, game: Game, now: datetime, winners: frozenset[Seat]
) -> None:
    """End the game as it stands, with the *winners* that were agreed on, and tell everybody."""
    table = lay(session, house, game)
    verdict = table.ruleset.verdict(table.state)
    if verdict is None:
        verdict = Verdict(winners, table.ruleset.view(table.state, None, ""))
    game.status, game.deadline_at, game.ready_at = GameStatus.ENDED, None, None
    game.ended_at = now
    turn_reports.report_end(session, house, game, verdict, now)
