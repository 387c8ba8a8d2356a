"""The end of a game: its verdict, and who is notified."""

from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import load
from referee.desk.reports import turn_reports
from referee.rules.ruleset import Seat, Verdict
from referee.store.games import agenda
from referee.store.models import Game, GameStatus


def finish(desk: Desk, game: Game, winners: frozenset[Seat]) -> None:
    """End the game in its current state, and mail everyone the result.

    *winners*, as agreed on, count only if the rules give no verdict.
    """
    table = load(desk.session, desk.site, game)
    verdict = table.ruleset.verdict(table.state)
    if verdict is None:
        verdict = Verdict(winners, turn_reports.standing(table))
    game.status, game.deadline_at, game.ready_at = GameStatus.ENDED, None, None
    game.ended_at = desk.now
    game.moves += 1
    agenda.schedule(desk.session, game)
    turn_reports.report_end(desk, game, verdict)
