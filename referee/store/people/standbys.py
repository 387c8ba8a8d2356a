"""Standbys in the store: who would take a seat, and where."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from referee.store.database.base import Base
from referee.store.models import Person


class Standby(Base):
    """A person who would take a seat that falls vacant."""

    __tablename__ = "standbys"
    __table_args__ = (UniqueConstraint("person_id", "scope"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    scope: Mapped[str] = mapped_column(index=True)
    """Where: the name of a game, the key of a ruleset, or ``ALL``."""
    since: Mapped[datetime]


EVERYWHERE = "ALL"
"""The scope of who would take a seat in any game."""


def add(session: Session, person: Person, scope: str, now: datetime) -> None:
    """Let the person stand by in *scope*; who does already keeps his place."""
    if scope not in {row.scope for row in of(session, person)}:
        session.add(Standby(person_id=person.id, scope=scope, since=now))
        session.flush()


def of(session: Session, person: Person) -> list[Standby]:
    """Return what a person stands by for, the longest first."""
    query = select(Standby).where(Standby.person_id == person.id)
    return list(session.scalars(query.order_by(Standby.since, Standby.id)))


def end(session: Session, person: Person, scope: str = "") -> int:
    """Let the person stand by no more in *scope*, empty for all, and return how many scopes that
    was."""
    rows = [row for row in of(session, person) if scope in ("", row.scope)]
    for row in rows:
        session.delete(row)
    session.flush()
    return len(rows)


def pool(session: Session, scopes: Collection[str]) -> list[Person]:
    """Return who stands by in one of *scopes*, each once, in the sequence in which they are
    asked."""
    query = (
        select(Person)
        .join(Standby, Standby.person_id == Person.id)
        .where(Standby.scope.in_(scopes))
        .order_by(Standby.since, Standby.id)
    )
    return list(dict.fromkeys(session.scalars(query)))


def send_to_the_end(session: Session, person: Person, now: datetime) -> None:
    """Let the person be asked after all who stand by now, because he did not answer."""
    for row in of(session, person):
        row.since = now
