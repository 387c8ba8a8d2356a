"""Reservations: seats kept for people who were asked to confirm their JOIN."""

from datetime import datetime

from sqlalchemy import ForeignKey, delete, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base
from referee.store.models import Game


class Reservation(Base):
    """A seat of a forming game that is kept for one address until a moment."""

    __tablename__ = "reservations"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    address: Mapped[str] = mapped_column(primary_key=True)
    until: Mapped[datetime] = mapped_column(index=True)


def of(session: Session, game: Game, address: str) -> Reservation | None:
    """Return the reservation for an address, valid or expired, or None."""
    return session.get(Reservation, (game.id, address))


def count(session: Session, game: Game, now: datetime, *, but_for: str) -> int:
    """Return the number of valid reservations for other addresses than *but_for*."""
    query = select(func.count()).select_from(Reservation)
    others = query.where(Reservation.game_id == game.id, Reservation.address != but_for)
    return session.scalar(others.where(Reservation.until > now)) or 0


def add(session: Session, game: Game, address: str, until: datetime) -> None:
    """Reserve a seat for an address, which has no reservation in the game."""
    session.add(Reservation(game_id=game.id, address=address, until=until))
    session.flush()


def drop(session: Session, game: Game, address: str) -> None:
    """Delete the reservation for an address, if there is one."""
    session.execute(
        delete(Reservation).where(Reservation.game_id == game.id, Reservation.address == address)
    )


def drop_expired(session: Session, now: datetime) -> None:
    """Delete the reservations of all games that have expired."""
    session.execute(delete(Reservation).where(Reservation.until <= now))
