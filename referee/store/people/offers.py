"""Offers of seats: which seat was offered to whom, with the result."""

from collections.abc import Collection
from datetime import datetime
from enum import Enum

from sqlalchemy import ForeignKey, Index, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.store.database.base import Base, enum_of
from referee.store.models import Game, GameStatus, Person, SeatRow


class OfferState(Enum):
    """The state of an offer."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    LAPSED = "lapsed"
    """No answer came in time."""
    WITHDRAWN = "withdrawn"
    """The seat is no longer available."""


class Offer(Base):
    """A seat offered to a standby, who can take it until a certain time."""

    __tablename__ = "offers"
    __table_args__ = (
        Index("ix_offers_state_seat_id", "state", "seat_id"),
        Index("ix_offers_seat_id_made_at", "seat_id", "made_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    state: Mapped[OfferState] = mapped_column(enum_of(OfferState))
    made_at: Mapped[datetime]
    until: Mapped[datetime]

    seat: Mapped[SeatRow] = relationship()
    person: Mapped[Person] = relationship()


_BEGUN = (GameStatus.RUNNING, GameStatus.HELD)


def seats_on_offer(session: Session, game: Game) -> list[SeatRow]:
    """Return the seats of a running or paused game that are on offer, the longest first."""
    if game.status not in _BEGUN:
        return []
    query = select(SeatRow).where(SeatRow.game_id == game.id, SeatRow.offered_at.is_not(None))
    return list(session.scalars(query.order_by(SeatRow.offered_at)))


def make(session: Session, seat: SeatRow, person: Person, now: datetime, until: datetime) -> Offer:
    """Offer the seat to the person, until *until*."""
    offer = Offer(seat=seat, person=person, state=OfferState.OPEN, made_at=now, until=until)
    session.add(offer)
    session.flush()
    return offer


def by_id(session: Session, number: int) -> Offer | None:
    """Return the offer with this id, or None."""
    return session.get(Offer, number)


def open_for(session: Session, seat: SeatRow) -> Offer | None:
    """Return the open offer of the seat, or None; there is one at most."""
    query = select(Offer).where(Offer.seat_id == seat.id, Offer.state == OfferState.OPEN)
    return session.scalar(query.order_by(Offer.id).limit(1))


def asked_since(session: Session, seat: SeatRow, moment: datetime) -> Collection[int]:
    """Return the ids of the people who were offered the seat since *moment*.

    Withdrawn offers do not count.
    """
    query = select(Offer.person_id).where(Offer.seat_id == seat.id, Offer.made_at >= moment)
    return set(session.scalars(query.where(Offer.state != OfferState.WITHDRAWN)))


def open_in(session: Session, game: Game) -> list[Offer]:
    """Return the open offers of a game, oldest first."""
    seats = select(SeatRow.id).where(SeatRow.game_id == game.id)
    query = select(Offer).where(Offer.state == OfferState.OPEN, Offer.seat_id.in_(seats))
    return list(session.scalars(query.order_by(Offer.id)))


def open_to(session: Session, person: Person) -> list[Offer]:
    """Return the open offers to the person, oldest first."""
    query = select(Offer).where(Offer.person_id == person.id, Offer.state == OfferState.OPEN)
    return list(session.scalars(query.order_by(Offer.id)))
