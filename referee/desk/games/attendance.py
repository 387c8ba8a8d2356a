"""Attendance: who met a turn's deadline, and how reliable people are over all their games."""

from collections.abc import Collection, Sequence

from referee.desk.base.loaded_games import LoadedGame
from referee.domain.reliability import Punctuality, Reliability, punctuality, reliability, together
from referee.rules.ruleset import Seat
from referee.store import Session
from referee.store.games import attendance as rolls
from referee.store.models import Game, Person


def call_roll(session: Session, table: LoadedGame, missed: frozenset[Seat]) -> None:
    """Record how each player who had orders to send met the deadline; *missed* seats sent none.

    Vacant seats, and seats that had no orders to send, are not counted. Of the turns that are parts
    of one round, a seat has missed one at most.
    """
    game, round_ = table.game, table.phase.round or table.game.turn
    arrivals = rolls.arrivals(session, game)
    roll: list[rolls.Met] = []
    for row in game.seats:
        if row.person is None or not table.awaits(row):
            continue
        has_missed = Seat(row.number) in missed
        if has_missed:
            row.missed += not row.missed or rolls.last_round(session, row) != round_
            row.missed_all += 1
        elif row.missed:
            row.missed = 0
        missing = Punctuality.UNAWARE if row.heard_at is None else Punctuality.MISSED
        unsent = missing if has_missed else Punctuality.EXCUSED
        met = punctuality(arrivals.get(row.id, ()), game.deadline_at, unsent)
        roll.append(rolls.Met(row, met))
    rolls.note(session, game.turn, roll, round_)


def own_reliability(session: Session, person: Person) -> Reliability:
    """Return how reliable a person is, over all their games, for nobody but themselves."""
    return _of(session, [person.id], running=None)


def reliability_of(session: Session, person: Person, gm_of: Game | None = None) -> Reliability:
    """Return how reliable a person is, over games that have ended, and over the asking GM's game.

    A figure that moved with the turns of a running game would tell rivals who missed them.
    """
    return _of(session, [person.id], running=[] if gm_of is None else [gm_of.id])


def reliability_of_game(session: Session, game: Game) -> Reliability:
    """Return how reliable the players of a game are together, over games that have ended."""
    players = [row.person_id for row in game.seats if row.person_id is not None]
    return _of(session, players, running=[])


def _of(session: Session, people: Sequence[int], running: Collection[int] | None) -> Reliability:
    known = rolls.of_people(session, people, running)
    return together(reliability(known.get(person, {})) for person in people)
