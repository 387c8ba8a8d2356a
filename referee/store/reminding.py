"""Who owes orders and has been reminded of it."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from referee.store.models import Game, GameStatus, Person, Reminded, SeatRow, Sheet


@dataclass(frozen=True, slots=True)
class Silent:
    """A seat of a running game without a sheet for its turn, and the *steps* he heard of.

    The steps are seconds before the deadline.
    """

    row: SeatRow
    game: Game
    person: Person
    steps: frozenset[int]


def silent(session: Session, now: datetime) -> list[Silent]:
    """Give the held seats of running games whose deadline lies ahead and that sent no sheet."""
    sent = exists().where(Sheet.seat_id == SeatRow.id, Sheet.turn == Game.turn, Sheet.undone == 0)
    query = (
        select(SeatRow, Game, Person)
        .join(Game, SeatRow.game_id == Game.id)
        .join(Person, SeatRow.person_id == Person.id)
        .where(Game.status == GameStatus.RUNNING, Game.deadline_at > now)
        .where(~sent)
        .order_by(Game.id, SeatRow.number)
    )
    told = (
        select(Reminded.seat_id, Reminded.step)
        .join(SeatRow, Reminded.seat_id == SeatRow.id)
        .join(Game, SeatRow.game_id == Game.id)
        .where(Game.status == GameStatus.RUNNING, Reminded.turn == Game.turn)
    )
    heard: dict[int, set[int]] = {}
    for seat, step in session.execute(told):
        heard.setdefault(seat, set()).add(step)
    return [
        Silent(row, game, person, frozenset(heard.get(row.id, ())))
        for row, game, person in session.execute(query)
    ]


def steps_of(session: Session, row: SeatRow, turn: int) -> list[Reminded]:
    """Give what a seat was reminded of in a turn."""
    query = select(Reminded).where(Reminded.seat_id == row.id, Reminded.turn == turn)
    return list(session.scalars(query))


def note(session: Session, row: SeatRow, turn: int, step: int) -> None:
    """Write down that a seat was reminded *step* seconds before the deadline of a turn."""
    if session.get(Reminded, (row.id, turn, step)) is None:
        session.add(Reminded(seat_id=row.id, turn=turn, step=step))
