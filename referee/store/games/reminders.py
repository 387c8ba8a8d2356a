"""Reminders: seats without orders, the reminders sent, and the next times to check."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ForeignKey, func, select, true
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


@dataclass(frozen=True, slots=True)
class Silent:
    """A seat of a running game without a sheet for its turn, and the *steps* already sent.

    The steps are seconds before the deadline.
    """

    row: SeatRow
    game: Game
    person: Person
    steps: frozenset[int]


def due(session: Session, now: datetime) -> list[int]:
    """Return the ids of the running games that may need a reminder by now."""
    query = select(Game.id).where(Game.status == GameStatus.RUNNING, Game.remind_at <= now)
    return list(session.scalars(query.order_by(Game.remind_at, Game.id)))


def look_at(session: Session, number: int, now: datetime) -> Game | None:
    """Lock and return a game that was found due, or None if it is no longer due or is locked.

    The caller sets its ``remind_at`` in this transaction, or it is found again.
    """
    query = select(Game).where(
        Game.id == number, Game.status == GameStatus.RUNNING, Game.remind_at <= now
    )
    return session.scalars(locking(query)).one_or_none()


def silent(session: Session, game: Game) -> list[Silent]:
    """Return the held seats of the game that have no valid sheet for the current turn."""
    newest = (
        select(Sheet.withdrawn)
        .where(Sheet.seat_id == SeatRow.id, Sheet.turn == game.turn, Sheet.undone == 0)
        .order_by(Sheet.revision.desc())
        .limit(1)
        .scalar_subquery()
    )
    query = (
        select(SeatRow, Person)
        .join(Person, SeatRow.person_id == Person.id)
        .where(SeatRow.game_id == game.id, func.coalesce(newest, true()))
        .order_by(SeatRow.number)
    )
    sent = (
        select(Reminded.seat_id, Reminded.step)
        .join(SeatRow, Reminded.seat_id == SeatRow.id)
        .where(SeatRow.game_id == game.id, Reminded.turn == game.turn)
    )
    heard: dict[int, set[int]] = {}
    for seat, step in session.execute(sent):
        heard.setdefault(seat, set()).add(step)
    return [
        Silent(row, game, person, frozenset(heard.get(row.id, ())))
        for row, person in session.execute(query)
    ]


def steps_of(session: Session, row: SeatRow, turn: int) -> list[Reminded]:
    """Return the reminders sent to a seat in a turn."""
    query = select(Reminded).where(Reminded.seat_id == row.id, Reminded.turn == turn)
    return list(session.scalars(query))


def note(session: Session, row: SeatRow, turn: int, step: int) -> None:
    """Record a reminder to a seat *step* seconds before the deadline of a turn."""
    if session.get(Reminded, (row.id, turn, step)) is None:
        session.add(Reminded(seat_id=row.id, turn=turn, step=step))


def check_reminders(game: Game) -> None:
    """Mark a game for a new check, because something changed that its reminders depend on.

    That is its status, turn, deadline and reminders, a seat's player, their absence, deputy or
    settings, its GMs, the option gm_watch, and a sheet that is no longer valid.
    """
    game.remind_at = LONG_AGO


def check_reminders_of(session: Session, person: Person) -> None:
    """Mark the games of a player for a new check, because their settings changed."""
    query = select(Game).join(SeatRow).where(SeatRow.person_id == person.id)
    for game in session.scalars(query.where(Game.status == GameStatus.RUNNING)):
        check_reminders(game)
