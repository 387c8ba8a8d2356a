"""Observers: who reads the public reports of which game, and how far."""

from datetime import datetime

from sqlalchemy import ForeignKey, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.store.database.base import Base
from referee.store.models import Game, Person


class Observer(Base):
    """A person who reads the public reports of a game."""

    __tablename__ = "observers"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    read_turn: Mapped[int] = mapped_column(default=0)
    """The last turn whose report they were sent; 0 for none, one more with the final standings."""
    since: Mapped[datetime]

    game: Mapped[Game] = relationship()
    person: Mapped[Person] = relationship()


def of(session: Session, game: Game) -> list[Observer]:
    """Return all observers of a game, by account."""
    query = select(Observer).where(Observer.game_id == game.id)
    return list(session.scalars(query.order_by(Observer.person_id)))


def find(session: Session, game: Game, person: Person) -> Observer | None:
    """Return the person as an observer of the game, or None."""
    return session.get(Observer, (game.id, person.id))


def add(session: Session, game: Game, person: Person, read_turn: int, now: datetime) -> None:
    """Add the person as an observer, starting after the report of *read_turn*."""
    session.add(Observer(game=game, person=person, since=now, read_turn=read_turn))
    session.flush()
