"""The end of a game: its verdict, and who is notified."""

from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import LoadedGame, load
from referee.desk.reports import turn_reports
from referee.desk.reports.vote_text import entitled
from referee.domain.votes import Motion
from referee.rules.ruleset import Seat, Verdict
from referee.store import Session
from referee.store.games import agenda, votes
from referee.store.models import Game, GameStatus


def finish(desk: Desk, game: Game) -> None:
    """End the game in its current state, and mail everyone the result."""
    table = load(desk.session, desk.site, game)
    verdict = verdict_of(desk.session, table)
    game.status, game.deadline_at, game.ready_at = GameStatus.ENDED, None, None
    game.ended_at = desk.now
    game.moves += 1
    agenda.schedule(desk.session, game)
    turn_reports.report_end(desk, game, verdict, why_over(desk.session, table))


def verdict_of(session: Session, table: LoadedGame) -> Verdict:
    """Return how a game ends: by its rules, else by a vote, else without a winner."""
    verdict = table.ruleset.verdict(table.state)
    if verdict is None:
        verdict = Verdict(_agreed_winners(session, table.game), turn_reports.standing(table))
    return verdict


def why_over(session: Session, table: LoadedGame) -> str:
    """Return who ended the game, as a sentence; "" if its rules did."""
    if table.ruleset.verdict(table.state) is not None:
        return ""
    by_vote = votes.ending(session, table.game) is not None
    return f"{'A vote of the players' if by_vote else 'The GM'} ended the game."


def _agreed_winners(session: Session, game: Game) -> frozenset[Seat]:
    """Return the winners by the vote that ends the game: all who play (DRAW), one, or none."""
    vote = votes.ending(session, game)
    if vote is None:
        return frozenset()
    if vote.motion is Motion.DRAW:
        # A player who is forgotten after the end has had a part in the draw.
        over = game.status is GameStatus.ENDED
        rows = [row for row in game.seats if not row.eliminated] if over else entitled(game)
        return frozenset(Seat(row.number) for row in rows)
    return frozenset({Seat(vote.winner)} if vote.winner else ())
