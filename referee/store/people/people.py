"""People: who they are, and which addresses they have."""

import hashlib
import hmac
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import count
from typing import TypeVar

from sqlalchemy import BindParameter, Select, bindparam, func, or_, select
from sqlalchemy.orm import Session

from referee.store.database.base import Span, insert_unless_there, table
from referee.store.models import Game, Person, SeatRow

T = TypeVar("T")


def by_address(session: Session, address: str) -> Person | None:
    """Return the person with this primary address, or else this second address, or None.

    Case does not matter. Somebody that the session has loaded costs no query.
    """
    address = address.lower()
    loaded = (row for row in session.identity_map.values() if isinstance(row, Person))
    known = next((person for person in loaded if person.address == address), None)
    return known or session.scalar(_by_address(), {"address": address})


@dataclass(frozen=True, slots=True)
class Holder:
    """The player of a seat in a few columns: their addresses, and what makes a token valid."""

    addresses: Collection[str]
    epoch: int
    turn: int


def holder_of(session: Session, seat: int) -> Holder | None:
    """Return the player of the seat with this id, or None if nobody holds it.

    Every arriving letter needs it, so it loads no objects.
    """
    found = session.execute(_holder(), {"seat": seat}).first()
    if found is None:
        return None
    address, second, epoch, turn = found
    return Holder((address, second) if second else (address,), epoch, turn)


def signs(session: Session, address: str) -> str | None:
    """Return the address with which the person with this address signs, "" if none, or None.

    Every letter that can be signed needs it, so it loads no objects.
    """
    found = session.execute(_signs(), {"address": address.lower()}).first()
    return None if found is None else found[0] or ""


def note_signature(session: Session, address: str) -> None:
    """Record that an email of the person with this address was signed, if we know them."""
    person = by_address(session, address)
    if person is not None and person.signs not in ("", address):
        person.signs = address


def by_id(session: Session, number: int) -> Person | None:
    """Return the person with this id, or None."""
    return session.get(Person, number)


def forgotten_as(session: Session, fingerprint: str) -> Person | None:
    """Return the forgotten person of this fingerprint, or None once their games have ended."""
    return session.scalar(select(Person).where(Person.fingerprint == fingerprint).limit(1))


def listing(session: Session, part: str) -> list[Person]:
    """Return the people with *part* in their name or an address, by primary address."""
    columns = (Person.address, Person.second_address, Person.name)
    having = or_(*(column.icontains(part, autoescape=True) for column in columns))
    query = select(Person).where(having, Person.forgotten_at.is_(None))
    return list(session.scalars(query.order_by(Person.address)))


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
    account_key: bytes,
    now: datetime,
) -> Person:
    """Return the person with that address, adding them without a security code if unknown.

    The number of the account is drawn with the secret *account_key*: it counts nobody for those who
    do not have it.
    """
    draws = count(session.scalar(select(func.max(Person.id))) or 0)
    while (person := by_address(session, address)) is None:
        # Nothing is added if another account has the number.
        insert_unless_there(
            session,
            Person,
            account=_account(account_key, next(draws)),
            address=address.lower(),
            name=name,
            zone=zone,
            code_salt=b"",
            code_hash=b"",
            created_at=now,
        )
    return person


def _account(key: bytes, draw: int) -> int:
    """Return a number of six digits, or of one more after every hundred thousand draws."""
    digest = hmac.digest(key, b"account %d" % draw, hashlib.sha256)
    least: int = 100_000 * 10 ** (draw // 100_000)
    return least + int.from_bytes(digest) % (9 * least)


@cache
def _holder() -> Select[str, str | None, int, int]:
    person, seat, game = table(Person).c, table(SeatRow).c, table(Game).c
    held = seat.id == bindparam("seat"), person.id == seat.person_id, game.id == seat.game_id
    return select(person.address, person.second_address, seat.epoch, game.turn).where(*held)


@cache
def _by_address() -> Select[Person]:
    return _first(select(Person))


@cache
def _signs() -> Select[str | None]:
    return _first(select(table(Person).c.signs))


def _first(people: Select[T]) -> Select[T]:
    wanted: BindParameter[str] = bindparam("address")
    # If two people claimed the address concurrently, the primary address wins.
    return (
        people.where(or_(Person.address == wanted, Person.second_address == wanted))
        .order_by(Person.address != wanted, Person.id)
        .limit(1)
    )
