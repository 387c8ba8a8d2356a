"""Address change requests, until both addresses have confirmed them or they expire."""

from datetime import datetime
from enum import Enum

from sqlalchemy import ForeignKey, Index, Select, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.store.database.base import Base, enum_of
from referee.store.database.claims import locked
from referee.store.models import Person


class ChangeKind(Enum):
    """The address of a person that is changed."""

    RECORD = "record"
    SECOND = "second"
    FORGET = "forget"
    """None: both addresses of a person confirm that everything about them is deleted."""


class ChangeState(Enum):
    """The state of an address change request."""

    WAITING = "waiting"
    DONE = "done"
    EXPIRED = "expired"
    REPLACED = "replaced"
    """Replaced by a later request."""
    REFUSED = "refused"
    """Another person had the address when both sides had confirmed."""


class AddressChange(Base):
    """An address change request, done when the old and the new address have confirmed it."""

    __tablename__ = "address_changes"
    __table_args__ = (
        Index("ix_address_changes_state_expires_at", "state", "expires_at"),
        # Tokens name a change by its id, so ids are never reused.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    kind: Mapped[ChangeKind] = mapped_column(enum_of(ChangeKind))
    address: Mapped[str] = mapped_column(index=True)
    """The new address, in lower case."""
    state: Mapped[ChangeState] = mapped_column(enum_of(ChangeState))
    asked_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    wished_at: Mapped[datetime | None]
    """When the current address confirmed the request."""
    proved_at: Mapped[datetime | None]
    """When the new address confirmed the request."""
    left: Mapped[str] = mapped_column(default="", index=True)
    """The primary address until the change was done; empty before, and for other changes."""

    person: Mapped[Person] = relationship()


def ask(
    session: Session,
    person: Person,
    kind: ChangeKind,
    address: str,
    *,
    now: datetime,
    expires: datetime,
) -> AddressChange:
    """Store a request, replacing an earlier one of that kind."""
    withdraw(session, person, kind)
    change = AddressChange(
        person=person,
        kind=kind,
        address=address,
        state=ChangeState.WAITING,
        asked_at=now,
        expires_at=expires,
    )
    session.add(change)
    session.flush()
    return change


def withdraw(session: Session, person: Person, kind: ChangeKind) -> list[AddressChange]:
    """Cancel the waiting requests of that kind, and return them."""
    found = [change for change in waiting(session, person) if change.kind is kind]
    for change in found:
        change.state = ChangeState.REPLACED
    return found


def waiting(session: Session, person: Person) -> list[AddressChange]:
    """Return the person's requests that wait for a confirmation, oldest first."""
    query = select(AddressChange).where(
        AddressChange.person_id == person.id, AddressChange.state == ChangeState.WAITING
    )
    return list(session.scalars(query.order_by(AddressChange.id)))


def change_locked(session: Session, number: int) -> AddressChange | None:
    """Return the request with this id, locked, or None."""
    return session.scalar(locked(select(AddressChange).where(AddressChange.id == number)))


def has_expired(session: Session, now: datetime) -> bool:
    """Return whether a request has expired."""
    return session.scalar(_expired(now).limit(1)) is not None


def expired(session: Session, now: datetime) -> list[AddressChange]:
    """Return the expired requests, locked."""
    return list(session.scalars(locked(_expired(now))))


def has_asked(session: Session, person: Person, address: str, since: datetime) -> bool:
    """Return whether the person has asked for the address after *since*."""
    query = select(AddressChange.id).where(AddressChange.asked_at > since)
    own = query.where(AddressChange.person_id == person.id, AddressChange.address == address)
    return session.scalar(own.limit(1)) is not None


def is_taken(session: Session, address: str, but_for: Person) -> bool:
    """Return whether another person has the address, as primary or second address."""
    has_it = or_(Person.address == address, Person.second_address == address)
    query = select(Person.id).where(has_it, Person.id != but_for.id)
    return session.scalar(query.limit(1)) is not None


def _expired(now: datetime) -> Select[AddressChange]:
    query = select(AddressChange).where(
        AddressChange.state == ChangeState.WAITING, AddressChange.expires_at <= now
    )
    return query.order_by(AddressChange.id)
