"""Admissions: who can join a game, by decision of its GM, and who waits for one."""

from collections.abc import Collection
from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import ForeignKey, delete, select
from sqlalchemy.orm import Mapped, Session, joinedload, mapped_column, relationship

from referee.store.database.base import Base, enum_of
from referee.store.models import Game, Person
from referee.store.people.same_mailbox import mailboxes


class AdmissionState(Enum):
    """The decision of the GM."""

    ALLOWED = "allowed"
    EXCLUDED = "excluded"
    WAITING = "waiting"
    """None yet."""


class Admission(Base):
    """A decision of the GM about an address or a person, or that they wait for one."""

    __tablename__ = "admissions"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), index=True)
    address: Mapped[str] = mapped_column(default="")
    """As the GM named it, in lower case; empty for a person whose address the GM does not know."""
    person_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"), index=True)
    """The owner of the address when it was named; None if nobody had it."""
    state: Mapped[AdmissionState] = mapped_column(enum_of(AdmissionState))
    wish: Mapped[dict[str, Any] | None]
    """The JOIN of a person who waits: its fields without the game and the code."""
    since: Mapped[datetime]

    game: Mapped[Game] = relationship()
    person: Mapped[Person | None] = relationship()


def of(session: Session, game: Game) -> list[Admission]:
    """Return all admissions of a game, oldest first."""
    query = select(Admission).where(Admission.game_id == game.id)
    query = query.options(joinedload(Admission.person))
    return list(session.scalars(query.order_by(Admission.id)))


def by_id(session: Session, number: int) -> Admission | None:
    """Return the admission with that number, or None."""
    return session.get(Admission, number)


def find(
    session: Session, game: Game, address: str, person: Person | None = None
) -> Admission | None:
    """Return the newest decision about the person or their mailboxes, or else their wish, or None.

    They may have asked with another address than the one that the GM has named.
    """
    rows = about(session, game, address, person)
    return max(
        rows, key=lambda row: (row.state is not AdmissionState.WAITING, row.id), default=None
    )


def about(
    session: Session, game: Game, address: str, person: Person | None = None
) -> list[Admission]:
    """Return the admissions of the person or of their mailboxes, oldest first."""
    wanted = mailboxes(address, person)
    return [row for row in of(session, game) if _is_about(row, person, wanted)]


def _is_about(row: Admission, person: Person | None, wanted: Collection[str]) -> bool:
    if person is not None and row.person_id == person.id:
        return True
    return any(each in wanted for each in mailboxes(row.address, row.person))


def end_waiting(session: Session, game: Game, person: Person) -> None:
    """Delete the wish of a person who waited, because it is decided."""
    waits = Admission.state == AdmissionState.WAITING, Admission.person_id == person.id
    session.execute(delete(Admission).where(Admission.game_id == game.id, *waits))


def add(
    session: Session,
    game: Game,
    state: AdmissionState,
    now: datetime,
    *,
    address: str = "",
    person: Person | None = None,
    wish: dict[str, Any] | None = None,
) -> Admission:
    """Record a decision about an address, a person or both; the newest one counts."""
    row = Admission(game=game, address=address, person=person, state=state, wish=wish, since=now)
    session.add(row)
    session.flush()
    return row
