"""The end of a game: its verdict, who is notified, and its result in one sentence."""

from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import LoadedGame, load, seat_name
from referee.desk.reports import turn_reports
from referee.desk.reports.turn_reports import is_drawn
from referee.desk.reports.vote_text import entitled
from referee.domain.votes import Motion
from referee.rules.ruleset import Seat, Verdict
from referee.rules.wording import listed, sentence
from referee.store import Session
from referee.store.games import agenda, games, votes
from referee.store.models import Game, GameStatus, Person
from referee.store.people import former_players, observers


def finish(desk: Desk, game: Game) -> None:
    """End the game in its current state, and mail everyone the result."""
    table = load(desk.session, desk.site, game)
    verdict = verdict_of(desk.session, table)
    games.end(game, desk.now)
    game.moves += 1
    agenda.schedule(desk.session, game)
    turn_reports.report_end(desk, table, verdict, why_over(desk.session, table))


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


def result_for(session: Session, table: LoadedGame, person: Person) -> str:
    """Return how the game has ended, or "": while it goes on, and for people without a part in it.

    Those who left it before its end read it too, as the players, GMs and observers did.
    """
    if table.game.status is not GameStatus.ENDED or not _had_part(session, table.game, person):
        return ""
    return result(session, table)


def result(session: Session, table: LoadedGame) -> str:
    """Return who has won a game that has ended, and who ended it if its rules did not."""
    outcome = _outcome(session, table.game, verdict_of(session, table))
    # Nobody ends a game for one: it ends when its player leaves it.
    why = "" if table.game.for_one else why_over(session, table).rstrip(".")
    return f"{why}: {outcome}." if why else sentence(outcome)


def _outcome(session: Session, game: Game, verdict: Verdict) -> str:
    if is_drawn(session, game, verdict):
        return "it is a draw"
    names = [seat_name(game, seat) for seat in sorted(verdict.winners)]
    if not names:
        return "there is no winner"
    return f"{listed(names)} {'has' if len(names) == 1 else 'have'} won"


def _had_part(session: Session, game: Game, person: Person) -> bool:
    """Return whether the person has or had a seat or is or was a GM, or observes the game."""
    if any(row.person_id == person.id for row in game.seats):
        return True
    if any(gm.person_id == person.id for gm in game.gms):
        return True
    watches = observers.find(session, game, person) is not None
    return watches or bool(former_players.of(session, game, person))
