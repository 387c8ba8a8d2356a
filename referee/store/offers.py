"""Offers of seats in the store: what was offered to whom, and what became of it."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.rollcall import Offer, OfferState

_BEGUN = (GameStatus.RUNNING, GameStatus.HELD)


def seats_on_offer(session: Session) -> list[SeatRow]:
    """Give the seats of games under way that are offered to standbys, the longest first."""
    # A join could begin with all games that run, which are many more than the seats on offer.
    begun = exists().where(Game.id == SeatRow.game_id, Game.status.in_(_BEGUN))
    query = select(SeatRow).where(SeatRow.offered_at.is_not(None), begun)
    return list(session.scalars(query.order_by(SeatRow.offered_at)))


def make(session: Session, seat: SeatRow, person: Person, now: datetime, until: datetime) -> Offer:
    """Offer the seat to the person, who may take it until a moment."""
    offer = Offer(seat=seat, person=person, state=OfferState.OPEN, made_at=now, until=until)
    session.add(offer)
    session.flush()
    return offer


def by_id(session: Session, number: int) -> Offer | None:
    """Give the offer with this number."""
    return session.get(Offer, number)


def open_for(session: Session, seat: SeatRow) -> Offer | None:
    """Give the offer of the seat that waits for an answer; there is one at most."""
    query = select(Offer).where(Offer.seat_id == seat.id, Offer.state == OfferState.OPEN)
    return session.scalar(query.order_by(Offer.id).limit(1))


def asked_since(session: Session, seat: SeatRow, moment: datetime) -> Collection[int]:
    """Give the ids of those to whom the seat was offered since a moment, and not withdrawn."""
    query = select(Offer.person_id).where(Offer.seat_id == seat.id, Offer.made_at >= moment)
    return set(session.scalars(query.where(Offer.state != OfferState.WITHDRAWN)))


def unanswered(session: Session) -> list[Offer]:
    """Give all offers that wait for an answer, the oldest first."""
    query = select(Offer).where(Offer.state == OfferState.OPEN)
    return list(session.scalars(query.order_by(Offer.id)))
