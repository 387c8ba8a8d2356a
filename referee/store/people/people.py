"""People: who they are, and which addresses they have."""

from datetime import datetime
from functools import cache

from sqlalchemy import BindParameter, Select, bindparam, or_, select
from sqlalchemy.orm import Session

from referee.store.database.dialect import insert_unless_there
from referee.store.database.types import Span
from referee.store.models import Person


def by_address(session: Session, address: str) -> Person | None:
    """Return the person with this primary address, or else this second address, or None.

    Case does not matter.
    """
    return session.scalar(_by_address(), {"address": address.lower()})


def by_id(session: Session, number: int) -> Person | None:
    """Return the person with this id, or None."""
    return session.get(Person, number)


def forgotten_as(session: Session, fingerprint: str) -> Person | None:
    """Return the forgotten person of this fingerprint, or None once their games have ended."""
    return session.scalar(select(Person).where(Person.fingerprint == fingerprint).limit(1))


def bounced_in(session: Session, span: Span, limit: int) -> list[Person]:
    """Return the people whose last bounce was in *span*."""
    query = select(Person).where(Person.bounced_at > span.after, Person.bounced_at <= span.until)
    return list(session.scalars(query.order_by(Person.id).limit(limit)))


def enrol(
    session: Session,
    *,
    address: str,
    name: str,
    zone: str,
    code_salt: bytes,
    code_hash: bytes,
    now: datetime,
) -> Person:
    """Return the person with that address, adding them if they are unknown."""
    if (known := by_address(session, address)) is not None:
        return known
    insert_unless_there(
        session,
        Person,
        address=address.lower(),
        name=name,
        zone=zone,
        code_salt=code_salt,
        code_hash=code_hash,
        created_at=now,
    )
    enrolled = by_address(session, address)
    assert enrolled is not None
    return enrolled


@cache
def _by_address() -> Select[Person]:
    wanted: BindParameter[str] = bindparam("address")
    # If two people claimed the address concurrently, the primary address wins.
    return (
        select(Person)
        .where(or_(Person.address == wanted, Person.second_address == wanted))
        .order_by(Person.address != wanted, Person.id)
        .limit(1)
    )
