"""The result of a game that has ended, as the final standings gave it, in one sentence."""

from referee.desk.base.loaded_games import LoadedGame, seat_name
from referee.desk.reports.game_end import verdict_of, why_over
from referee.desk.reports.turn_reports import is_drawn
from referee.rules.ruleset import Verdict
from referee.rules.wording import listed, sentence
from referee.store import Session
from referee.store.models import Game, GameStatus, Person
from referee.store.people import former_players, observers


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
    observer = observers.find(session, game, person)
    watches = observer is not None and not observer.removed
    return watches or bool(former_players.of(session, game, person))
