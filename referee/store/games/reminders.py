"""Reminders: seats without orders, the reminders sent, and the next times to check."""

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
"""The maximum number of games checked at once; the others wait for the next check."""


@dataclass(frozen=True, slots=True)
class Silent:
    """A seat of a running game without a sheet for its turn, and the *steps* already sent.

    The steps are seconds before the deadline.
    """

    row: SeatRow
    game: Game
    person: Person
    steps: frozenset[int]


def to_look_at(session: Session, now: datetime) -> Sequence[Game]:
    """Return the running games that may need a reminder by now, locked.

    The caller sets ``remind_at`` of each in this transaction, or it is returned again. Games locked
    by another transaction are left out.
    """
    query = (
        select(Game)
        .where(Game.status == GameStatus.RUNNING, Game.remind_at <= now)
        .order_by(Game.remind_at, Game.id)
        .limit(_AT_ONCE)
    )
    return session.scalars(locking(query)).all()


def silent(session: Session, games: Sequence[Game]) -> list[Silent]:
    """Return the held seats of the games that have no sheet for the current turn."""
    if not games:
        return []
    numbers = [game.id for game in games]
    has_sheet = exists().where(
        Sheet.seat_id == SeatRow.id, Sheet.turn == Game.turn, Sheet.undone == 0
    )
    query = (
        select(SeatRow, Game, Person)
        .join(Game, SeatRow.game_id == Game.id)
        .join(Person, SeatRow.person_id == Person.id)
        .where(Game.id.in_(numbers), ~has_sheet)
        .order_by(Game.id, SeatRow.number)
    )
    sent = (
        select(Reminded.seat_id, Reminded.step)
        .join(SeatRow, Reminded.seat_id == SeatRow.id)
        .join(Game, SeatRow.game_id == Game.id)
        .where(Game.id.in_(numbers), Reminded.turn == Game.turn)
    )
    heard: dict[int, set[int]] = {}
    for seat, step in session.execute(sent):
        heard.setdefault(seat, set()).add(step)
    return [
        Silent(row, game, person, frozenset(heard.get(row.id, ())))
        for row, game, person in session.execute(query)
    ]


def steps_of(session: Session, row: SeatRow, turn: int) -> list[Reminded]:
    """Return the reminders sent to a seat in a turn."""
    query = select(Reminded).where(Reminded.seat_id == row.id, Reminded.turn == turn)
    return list(session.scalars(query))


def note(session: Session, row: SeatRow, turn: int, step: int) -> None:
    """Record a reminder to a seat *step* seconds before the deadline of a turn."""
    if session.get(Reminded, (row.id, turn, step)) is None:
        session.add(Reminded(seat_id=row.id, turn=turn, step=step))


def look_again(game: Game) -> None:
    """Mark a game for a new check, because something changed that its reminders depend on.

    That is its status, turn, deadline and reminders, a seat's player, their absence, deputy or
    settings, and a sheet that is no longer valid.
    """
    game.remind_at = LONG_AGO


def look_again_for(session: Session, person: Person) -> None:
    """Mark the games of a player for a new check, because their settings changed."""
    query = select(Game).join(SeatRow).where(SeatRow.person_id == person.id)
    for game in session.scalars(query.where(Game.status == GameStatus.RUNNING)):
        look_again(game)
