"""Standbys: who would take a seat, and in which games."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base
from referee.store.models import Person


class Standby(Base):
    """A person who would take a vacant seat."""

    __tablename__ = "standbys"
    __table_args__ = (UniqueConstraint("person_id", "scope"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    scope: Mapped[str] = mapped_column(index=True)
    """The name of a game, the key of a ruleset, or ``ALL``."""
    since: Mapped[datetime]


EVERYWHERE = "ALL"
"""The scope of standbys for any game."""


def add(session: Session, person: Person, scope: str, now: datetime) -> None:
    """Make the person a standby in *scope*; an existing standby keeps their place."""
    if scope not in {row.scope for row in of(session, person)}:
        session.add(Standby(person_id=person.id, scope=scope, since=now))
        session.flush()


def of(session: Session, person: Person) -> list[Standby]:
    """Return the person's standby entries, the longest first."""
    query = select(Standby).where(Standby.person_id == person.id)
    return list(session.scalars(query.order_by(Standby.since, Standby.id)))


def end(session: Session, person: Person, scope: str = "") -> int:
    """End the standby entries of the person in *scope*, or all; return their number."""
    rows = [row for row in of(session, person) if scope in ("", row.scope)]
    for row in rows:
        session.delete(row)
    session.flush()
    return len(rows)


def pool(session: Session, scopes: Collection[str]) -> list[Person]:
    """Return the standbys in any of *scopes*, each once, in the order they are asked."""
    query = (
        select(Person)
        .join(Standby, Standby.person_id == Person.id)
        .where(Standby.scope.in_(scopes))
        .order_by(Standby.since, Standby.id)
    )
    return list(dict.fromkeys(session.scalars(query)))


def send_to_the_end(session: Session, person: Person, now: datetime) -> None:
    """Move the person to the end of the queue, because they did not answer."""
    for row in of(session, person):
        row.since = now
