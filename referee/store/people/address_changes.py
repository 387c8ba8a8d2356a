"""Wishes for another address, until both addresses have confirmed them or they lapse."""

from datetime import datetime
from enum import Enum

from sqlalchemy import ForeignKey, Index, Select, func, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from referee.store.database.base import Base, enum_of
from referee.store.database.claims import locked
from referee.store.models import Person


class ChangeKind(Enum):
    """Which address of a person a change is about."""

    RECORD = "record"
    SECOND = "second"


class ChangeState(Enum):
    """What has become of a wish for another address."""

    WAITING = "waiting"
    DONE = "done"
    EXPIRED = "expired"
    REPLACED = "replaced"
    """A later wish took its place."""
    REFUSED = "refused"
    """Somebody else had the address when both had confirmed."""


class AddressChange(Base):
    """A wish for another address, done when the old and the new one have confirmed it."""

    __tablename__ = "address_changes"
    __table_args__ = (
        Index("ix_address_changes_state_expires_at", "state", "expires_at"),
        # Tokens name a change by its id, so none is ever given again.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    kind: Mapped[ChangeKind] = mapped_column(enum_of(ChangeKind))
    address: Mapped[str] = mapped_column(index=True)
    """The new one, folded."""
    state: Mapped[ChangeState] = mapped_column(enum_of(ChangeState))
    asked_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    wished_at: Mapped[datetime | None]
    """When the address we write to now confirmed that its reader wishes it."""
    proved_at: Mapped[datetime | None]
    """When the new address confirmed that it is his."""

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
    """Write a wish down; an earlier one of that kind is replaced."""
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
    """Let nothing come of the wishes of that kind that wait, and give them."""
    found = [change for change in waiting(session, person) if change.kind is kind]
    for change in found:
        change.state = ChangeState.REPLACED
    return found


def waiting(session: Session, person: Person) -> list[AddressChange]:
    """Return the wishes of a person that wait for a confirmation, oldest first."""
    query = select(AddressChange).where(
        AddressChange.person_id == person.id, AddressChange.state == ChangeState.WAITING
    )
    return list(session.scalars(query.order_by(AddressChange.id)))


def change_locked(session: Session, number: int) -> AddressChange | None:
    """Return the wish with this number; nobody else changes it meanwhile."""
    return session.scalar(locked(select(AddressChange).where(AddressChange.id == number)))


def has_expired(session: Session, now: datetime) -> bool:
    """Return whether a wish has waited too long."""
    return session.scalar(_expired(now).limit(1)) is not None


def expired(session: Session, now: datetime) -> list[AddressChange]:
    """Return the wishes that have waited too long."""
    return list(session.scalars(locked(_expired(now))))


def asked_since(
    session: Session, since: datetime, *, person: Person | None = None, address: str | None = None
) -> int:
    """Count the wishes of a person, or those for an address, whoever had them."""
    query = select(func.count()).select_from(AddressChange).where(AddressChange.asked_at > since)
    if person is not None:
        query = query.where(AddressChange.person_id == person.id)
    if address is not None:
        query = query.where(AddressChange.address == address)
    return session.scalar(query) or 0


def is_taken(session: Session, address: str, but_for: Person) -> bool:
    """Return whether anybody else has the address, as his first or his second."""
    has_it = or_(Person.address == address, Person.second_address == address)
    query = select(Person.id).where(has_it, Person.id != but_for.id)
    return session.scalar(query.limit(1)) is not None


def _expired(now: datetime) -> Select[AddressChange]:
    query = select(AddressChange).where(
        AddressChange.state == ChangeState.WAITING, AddressChange.expires_at <= now
    )
    return query.order_by(AddressChange.id)
