"""Reminders in the store: who sent nothing, who was reminded of what, and where to look when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ForeignKey, exists, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base
from referee.store.database.claims import locking
from referee.store.models import LONG_AGO, Game, GameStatus, Person, SeatRow, Sheet


class Reminded(Base):
    """A reminder that was sent: one row per seat, turn and step."""

    __tablename__ = "reminded"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    step: Mapped[int] = mapped_column(primary_key=True)
    """Seconds before the deadline."""


_AT_ONCE: Final = 50
"""In how many games at most one look is taken; the others have the next one."""


@dataclass(frozen=True, slots=True)
class Silent:
    """A seat of a running game without a sheet for its turn, and the *steps* he heard of.

    The steps are seconds before the deadline.
    """

    row: SeatRow
    game: Game
    person: Person
    steps: frozenset[int]


def to_look_at(session: Session, now: datetime) -> Sequence[Game]:
    """Return running games in which somebody may have to be reminded by now, locked.

    Each has its ``remind_at`` set before the transaction ends, or is looked at again. Games that
    somebody else has at hand are left for the next look.
    """
    query = (
        select(Game)
        .where(Game.status == GameStatus.RUNNING, Game.remind_at <= now)
        .order_by(Game.remind_at, Game.id)
        .limit(_AT_ONCE)
    )
    return session.scalars(locking(query)).all()


def silent(session: Session, games: Sequence[Game]) -> list[Silent]:
    """Return the held seats of the games that sent no sheet for the running turn."""
    if not games:
        return []
    numbers = [game.id for game in games]
    sent = exists().where(Sheet.seat_id == SeatRow.id, Sheet.turn == Game.turn, Sheet.undone == 0)
    query = (
        select(SeatRow, Game, Person)
        .join(Game, SeatRow.game_id == Game.id)
        .join(Person, SeatRow.person_id == Person.id)
        .where(Game.id.in_(numbers), ~sent)
        .order_by(Game.id, SeatRow.number)
    )
    told = (
        select(Reminded.seat_id, Reminded.step)
        .join(SeatRow, Reminded.seat_id == SeatRow.id)
        .join(Game, SeatRow.game_id == Game.id)
        .where(Game.id.in_(numbers), Reminded.turn == Game.turn)
    )
    heard: dict[int, set[int]] = {}
    for seat, step in session.execute(told):
        heard.setdefault(seat, set()).add(step)
    return [
        Silent(row, game, person, frozenset(heard.get(row.id, ())))
        for row, game, person in session.execute(query)
    ]


def steps_of(session: Session, row: SeatRow, turn: int) -> list[Reminded]:
    """Return what a seat was reminded of in a turn."""
    query = select(Reminded).where(Reminded.seat_id == row.id, Reminded.turn == turn)
    return list(session.scalars(query))


def note(session: Session, row: SeatRow, turn: int, step: int) -> None:
    """Write down that a seat was reminded *step* seconds before the deadline of a turn."""
    if session.get(Reminded, (row.id, turn, step)) is None:
        session.add(Reminded(seat_id=row.id, turn=turn, step=step))


def look_again(game: Game) -> None:
    """Let a game be looked at again, because something changed that reminders hang on.

    That is whether it runs, its turn, deadline and reminders, who has a seat, whether he is away,
    has a deputy or wants other reminders, and that a sheet counts no more.
    """
    game.remind_at = LONG_AGO


def look_again_for(session: Session, person: Person) -> None:
    """Let the games of a player be looked at again, because something changed in his settings."""
    query = select(Game).join(SeatRow).where(SeatRow.person_id == person.id)
    for game in session.scalars(query.where(Game.status == GameStatus.RUNNING)):
        look_again(game)
