"""Observers in the store: who reads the public reports of which game, and how far he has read."""

from datetime import datetime

from sqlalchemy import case, select
from sqlalchemy.orm import Session

from referee.store.models import Game, GameStatus, Person
from referee.store.standins import Observer


def of(session: Session, game: Game) -> list[Observer]:
    """Give the observers of a game, those who were removed among them, by their accounts."""
    query = select(Observer).where(Observer.game_id == game.id)
    return list(session.scalars(query.order_by(Observer.person_id)))


def find(session: Session, game: Game, person: Person) -> Observer | None:
    """Give the person as an observer of the game, or None when he never was one."""
    return session.get(Observer, (game.id, person.id))


def add(session: Session, game: Game, person: Person, read_turn: int, now: datetime) -> None:
    """Let the person observe the game after the report of *read_turn*."""
    session.add(Observer(game=game, person=person, since=now, read_turn=read_turn))
    session.flush()


def behind(session: Session) -> list[int]:
    """Give the numbers of the games in which an observer may read more than he has read."""
    ended = Game.status == GameStatus.ENDED
    readable = case((ended, Game.turn), else_=Game.turn - Game.observers_behind)
    query = (
        select(Observer.game_id)
        .join(Game, Game.id == Observer.game_id)
        .where(Game.observers_behind.is_not(None), ~Observer.removed)
        .where(Observer.read_turn < readable)
    )
    return sorted(set(session.scalars(query)))
