"""Deputies: who can send orders for which seat besides its player, and when."""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from functools import cache

from sqlalchemy import ForeignKey, Select, bindparam, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.domain.days import Days, days_between
from referee.store.database.base import Base, enum_of, table
from referee.store.models import Game, Person, SeatRow


class DeputyState(Enum):
    """The state of a deputy."""

    ASKED = "asked"
    ACCEPTED = "accepted"
    ACTING = "acting"
    """The deputy's days have begun, and they have the report."""
    ENDED = "ended"


class Deputy(Base):
    """A person who can send orders for a seat between two moments, besides its player."""

    __tablename__ = "deputies"
    __table_args__ = (
        # Tokens name a deputy by id, so ids are never reused.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), index=True)
    epoch: Mapped[int]
    """The seat's epoch at the request: a new player or address ends the deputyship."""
    address: Mapped[str]
    """In lower case; orders are accepted only from this address."""
    person_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"))
    """None until they have accepted."""
    begins_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    """The midnight after the last day, in *zone*."""
    zone: Mapped[str]
    state: Mapped[DeputyState] = mapped_column(enum_of(DeputyState), index=True)
    by_gm: Mapped[bool] = mapped_column(default=False)
    """Whether the GM asked them, and not the player."""
    asked_at: Mapped[datetime]

    seat: Mapped[SeatRow] = relationship()
    person: Mapped[Person | None] = relationship()

    @property
    def is_engaged(self) -> bool:
        """Return whether they have accepted, and the seat still has the same player."""
        accepted = self.state in (DeputyState.ACCEPTED, DeputyState.ACTING)
        return accepted and self.epoch == self.seat.epoch and self.seat.person_id is not None

    @property
    def days(self) -> Days:
        """The days of the deputy, which as text begin with "from" or "on"."""
        return days_between(self.begins_at, self.ends_at, self.zone)

    @property
    def may_order(self) -> bool:
        """Return whether their orders count for the seat.

        They do until the referee has ended their days, which waits for a trusted time.
        """
        return self.is_engaged and self.state is DeputyState.ACTING


def by_id(session: Session, number: int) -> Deputy | None:
    """Return the deputy with this id, or None."""
    return session.get(Deputy, number)


def acting(session: Session, seat: SeatRow) -> Deputy | None:
    """Return the deputy who can send orders for the seat, or None."""
    number = session.scalar(_acting(), {"seat": seat.id, "epoch": seat.epoch})
    return None if number is None else session.get_one(Deputy, number)


def acting_in(session: Session, game: Game) -> Mapping[int, Deputy]:
    """Return the acting deputies of a game, by seat id."""
    # If a seat has several, the first one counts, which comes last here.
    found = session.scalars(_acting_in(), {"game": game.id})
    return {deputy.seat_id: deputy for deputy in found}


def of(session: Session, seat: SeatRow) -> list[Deputy]:
    """Return the deputies of the seat's present player who are asked or engaged."""
    return list(session.scalars(_of_seat(), {"seat": seat.id, "epoch": seat.epoch}))


def of_all(session: Session, game: Game) -> list[Deputy]:
    """Return the deputies of all present players of a game who are asked or engaged."""
    return list(session.scalars(_of_all(), {"game": game.id}))


def of_person(session: Session, person: Person) -> list[Deputy]:
    """Return the deputyships that the person has accepted and that have not ended."""
    under_way = DeputyState.ACCEPTED, DeputyState.ACTING
    query = select(Deputy).where(Deputy.person_id == person.id, Deputy.state.in_(under_way))
    return list(session.scalars(query.order_by(Deputy.id)))


def asked(session: Session, seat: SeatRow) -> int:
    """Return how many people were ever asked to be deputies of the seat."""
    return len(session.scalars(select(Deputy.id).where(Deputy.seat_id == seat.id)).all())


def elsewhere(session: Session, seat: SeatRow, person: Person) -> bool:
    """Return whether the person was ever a deputy of another seat of the same game."""
    other = select(SeatRow.id).where(SeatRow.game_id == seat.game_id, SeatRow.id != seat.id)
    query = select(Deputy.id).where(Deputy.seat_id.in_(other), Deputy.person_id == person.id)
    return session.scalar(query.limit(1)) is not None


def beginning(session: Session, game: Game, now: datetime) -> list[Deputy]:
    """Return the deputies of a game who have accepted and whose days have begun."""
    query = _of_game(game, DeputyState.ACCEPTED).where(Deputy.begins_at <= now)
    return list(session.scalars(query))


def running(session: Session, game: Game) -> list[Deputy]:
    """Return the deputies of a game who are asked or engaged."""
    under_way = (DeputyState.ASKED, DeputyState.ACCEPTED, DeputyState.ACTING)
    return list(session.scalars(_of_game(game, *under_way)))


def _of_game(game: Game, *states: DeputyState) -> Select[Deputy]:
    seats = select(SeatRow.id).where(SeatRow.game_id == game.id)
    query = select(Deputy).where(Deputy.seat_id.in_(seats), Deputy.state.in_(states))
    return query.order_by(Deputy.id)


@cache
def _of_seat() -> Select[Deputy]:
    """Build the query for the deputies of a seat."""
    return (
        select(Deputy)
        .where(Deputy.seat_id == bindparam("seat"), Deputy.epoch == bindparam("epoch"))
        .where(Deputy.state != DeputyState.ENDED)
        .order_by(Deputy.begins_at)
    )


@cache
def _of_all() -> Select[Deputy]:
    return (
        select(Deputy)
        .join(SeatRow, SeatRow.id == Deputy.seat_id)
        .where(SeatRow.game_id == bindparam("game"), Deputy.epoch == SeatRow.epoch)
        .where(Deputy.state != DeputyState.ENDED)
        .order_by(Deputy.begins_at)
    )


@cache
def _acting() -> Select[int]:
    """Build the query for the id of the acting deputy of a seat.

    Every letter needs it, and most find none, so it loads no objects.
    """
    row = table(Deputy).c
    return (
        select(row.id)
        .where(row.seat_id == bindparam("seat"), row.epoch == bindparam("epoch"))
        .where(row.state == DeputyState.ACTING)
        .order_by(row.begins_at)
        .limit(1)
    )


@cache
def _acting_in() -> Select[Deputy]:
    return (
        select(Deputy)
        .join(SeatRow, SeatRow.id == Deputy.seat_id)
        .where(SeatRow.game_id == bindparam("game"), Deputy.epoch == SeatRow.epoch)
        .where(Deputy.state == DeputyState.ACTING)
        .order_by(Deputy.begins_at.desc())
    )
