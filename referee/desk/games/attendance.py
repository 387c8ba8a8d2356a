"""Attendance: who met a turn's deadline, and how reliable people are over all their games."""

from collections.abc import Iterable

from referee.desk.base.loaded_games import LoadedGame
from referee.domain.reliability import Reliability, Turnout, punctuality, reliability, together
from referee.rules.ruleset import Seat
from referee.store import Session
from referee.store.games import attendance as rolls
from referee.store.models import Game, Person


def call_roll(session: Session, table: LoadedGame, missed: frozenset[Seat]) -> None:
    """Record how each player who had orders to send met the deadline; *missed* seats sent none.

    Vacant seats, and seats that had no orders to send, are not counted.
    """
    game = table.game
    arrivals = rolls.arrivals(session, game)
    roll: list[rolls.Met] = []
    for row in game.seats:
        if row.person is None or not table.awaits(row):
            continue
        has_missed = Seat(row.number) in missed
        if has_missed:
            row.missed, row.missed_all = row.missed + 1, row.missed_all + 1
        elif row.missed:
            row.missed = 0
        turnout = Turnout(tuple(arrivals.get(row.id, ())), provided=not has_missed)
        met = punctuality(turnout, game.deadline_at)
        roll.append(rolls.Met(row, met))
    rolls.note(session, game.turn, roll)


def reliability_of(session: Session, person: Person) -> Reliability:
    """Return how reliable a person is, over all their games, past and present."""
    return reliability(rolls.of_people(session, [person.id]).get(person.id, {}))


def reliability_of_game(session: Session, game: Game) -> Reliability:
    """Return how reliable the players of a game are together, over all their games."""
    return _of(session, [row.person_id for row in game.seats if row.person_id is not None])


def _of(session: Session, people: Iterable[int]) -> Reliability:
    ids = list(people)
    known = rolls.of_people(session, ids)
    return together(reliability(known.get(person, {})) for person in ids)
