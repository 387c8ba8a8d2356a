"""Offers of seats in the store: what was offered to whom, and what became of it."""

from collections.abc import Collection
from datetime import datetime
from enum import Enum

from sqlalchemy import ForeignKey, Index, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.store.database.base import Base, enum_of
from referee.store.models import Game, GameStatus, Person, SeatRow


class OfferState(Enum):
    """What has become of the offer of a seat."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    LAPSED = "lapsed"
    """No answer came in time."""
    WITHDRAWN = "withdrawn"
    """The seat is not to be had any more."""


class Offer(Base):
    """A seat that was offered to a standby, who may take it until a moment."""

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
    """Return the seats of a game under way that are offered to standbys, the longest first."""
    if game.status not in _BEGUN:
        return []
    query = select(SeatRow).where(SeatRow.game_id == game.id, SeatRow.offered_at.is_not(None))
    return list(session.scalars(query.order_by(SeatRow.offered_at)))


def make(session: Session, seat: SeatRow, person: Person, now: datetime, until: datetime) -> Offer:
    """Offer the seat to the person, who may take it until a moment."""
    offer = Offer(seat=seat, person=person, state=OfferState.OPEN, made_at=now, until=until)
    session.add(offer)
    session.flush()
    return offer


def by_id(session: Session, number: int) -> Offer | None:
    """Return the offer with this number."""
    return session.get(Offer, number)


def open_for(session: Session, seat: SeatRow) -> Offer | None:
    """Return the offer of the seat that waits for an answer; there is one at most."""
    query = select(Offer).where(Offer.seat_id == seat.id, Offer.state == OfferState.OPEN)
    return session.scalar(query.order_by(Offer.id).limit(1))


def asked_since(session: Session, seat: SeatRow, moment: datetime) -> Collection[int]:
    """Return the ids of those to whom the seat was offered since a moment, and not withdrawn."""
    query = select(Offer.person_id).where(Offer.seat_id == seat.id, Offer.made_at >= moment)
    return set(session.scalars(query.where(Offer.state != OfferState.WITHDRAWN)))


def open_in(session: Session, game: Game) -> list[Offer]:
    """Return the offers of seats of a game that wait for an answer, the oldest first."""
    seats = select(SeatRow.id).where(SeatRow.game_id == game.id)
    query = select(Offer).where(Offer.state == OfferState.OPEN, Offer.seat_id.in_(seats))
    return list(session.scalars(query.order_by(Offer.id)))


def open_to(session: Session, person: Person) -> list[Offer]:
    """Return the offers that wait for the person's answer, the oldest first."""
    query = select(Offer).where(Offer.person_id == person.id, Offer.state == OfferState.OPEN)
    return list(session.scalars(query.order_by(Offer.id)))


def unanswered(session: Session) -> list[Offer]:
    """Return all offers that wait for an answer, the oldest first."""
    query = select(Offer).where(Offer.state == OfferState.OPEN)
    return list(session.scalars(query.order_by(Offer.id)))
